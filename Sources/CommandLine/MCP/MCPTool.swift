import JSONRPC
import Jansson
import Methods
import Plans

/// A method as a tool of the Model Context Protocol, made from the method's declaration.
enum MCPTool {
  /// Params that a tool lacks. Events carry what `stream` asks for, and a tool gets no events.
  private static func hidden(_ limits: Limits) -> [String] {
    ["stream"] + (limits.files == nil ? ["saveTo", "overwrite", "resume"] : []) + (limits.isReadOnly ? ["stepUp"] : [])
  }

  /// The tools that the limits allow, and that are not about the session. Where no sign-in is allowed, none is offered.
  static func all(_ limits: Limits) -> [MethodEntry<Service>] {
    let signIn = [Methods.authorize, Methods.awaitSignIn]
    return Methods.all.filter { $0.effect != .session && limits.allows($0) && !(limits.isReadOnly && signIn.contains($0.name)) }
  }

  /// The method's name for people: `Call API` for `callAPI`.
  private static func title(_ name: String) -> String {
    let words = name.reduce(into: "") { text, letter in
      text += letter.isUppercase && text.last?.isLowercase == true ? " \(letter)" : String(letter)
    }
    return words.prefix(1).uppercased() + words.dropFirst()
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
    let input: JSON = [
      "type": "object", "properties": .object(properties), "required": .array(required), "additionalProperties": false,
      "$defs": schemas.members.isEmpty ? nil : .object(schemas.members),
    ]
    let limit = limits.isReadOnly && method.name == Methods.callAPI ? " Only GET and HEAD are allowed." : ""
    return [
      "name": .string(method.name), "title": .string(title(method.name)), "description": .string(method.type.summary + limit),
      "inputSchema": input,
      "annotations": [
        "readOnlyHint": .bool(method.effect == .uses && (limits.isReadOnly || method.name != Methods.callAPI)),
        "destructiveHint": .bool(!limits.isReadOnly && [Methods.revoke, Methods.signOut, Methods.callAPI].contains(method.name)),
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
