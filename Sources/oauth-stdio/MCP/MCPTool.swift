import JSONRPC
import Jansson
import OAuth
import OAuthCore

/// A method as a tool of the Model Context Protocol, made from the method's declaration.
enum MCPTool {
  /// Params that a tool lacks. Events carry what `stream` asks for, and a tool gets no events.
  private static func hidden(_ limits: Limits) -> [String] { ["stream"] + (limits.files == nil ? ["saveTo", "overwrite", "resume"] : []) }

  /// The tools that the limits allow, and that are not about the session.
  static func all(_ limits: Limits) -> [MethodEntry<Service>] {
    Methods.all.filter { $0.effect != .session && (try? limits.check($0)) != nil }
  }

  static func description(_ method: MethodEntry<Service>, _ limits: Limits) throws -> JSON {
    var schemas = SchemaDefinitions(at: "#/$defs/")
    let params = params(of: method).filter { !hidden(limits).contains($0.name) }
    let properties = try params.map { param in
      var schema = try schemas.moving(simplified(param))
      // The text stands beside a reference, because the tool's reader is a model.
      if schema["description"] == nil, var members = schema.members {
        members.append(.init("description", .string(param.documentation)))
        schema = .object(members)
      }
      return JSON.Member(param.name, schema)
    }
    let required = params.filter(\.isRequired).map { JSON.string($0.name) }
    var input: [JSON.Member] = [
      .init("type", "object"), .init("properties", .object(properties)), .init("required", .array(required)),
      .init("additionalProperties", false),
    ]
    if !schemas.members.isEmpty { input.append(.init("$defs", .object(schemas.members))) }
    return [
      "name": .string(method.name), "description": .string(method.type.summary), "inputSchema": .object(input),
      "annotations": [
        "readOnlyHint": .bool(method.effect == .uses && (limits.isReadOnly || method.name != CallAPI.name)),
        "destructiveHint": .bool(!limits.isReadOnly && [Revoke.name, SignOut.name, CallAPI.name].contains(method.name)),
        "openWorldHint": true,
      ],
    ]
  }

  private static func params(of method: MethodEntry<Service>) -> [ObjectReader.Declaration] { (try? method.type.declarations) ?? [] }

  /// Returns the param's schema. The description of a whole provider would fill a model's context, and its name or URL is enough.
  private static func simplified(_ param: ObjectReader.Declaration) -> JSON {
    if param.name == "provider" { return ["type": "string"] }
    // The tool answers with the page, because a client does not wait for the user for minutes.
    if param.name == "wait" { return ["type": "boolean", "default": false] }
    return param.schema
  }

  /// Returns the params with the tool's own default.
  static func arguments(_ arguments: [JSON.Member], for method: MethodEntry<Service>) -> [JSON.Member] {
    let waits = params(of: method).contains { $0.name == "wait" } && !arguments.contains { $0.name == "wait" }
    return waits ? arguments + [.init("wait", false)] : arguments
  }
}
