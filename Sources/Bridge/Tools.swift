import Jansson
import OAuthCore
import Platform
import Synchronization

/// The server's tools: which of them the host may use, and which arguments of a call a header repeats (MCP 2026-07-28).
final class Tools: Sendable {
  /// An argument that a header repeats: the names that lead to it, and the header's name.
  struct Parameter: Sendable {
    let path: [String]
    let header: String
  }

  /// A schema whose `x-mcp-header` breaks the rules.
  private struct Invalid: Error {}

  private static let mark = "x-mcp-header"
  /// Keywords of JSON Schema whose values are no schemas.
  private static let data: Set = ["default", "examples", "const", "enum"]

  /// Patterns of a shell; nil allows all.
  private let allowed: [String]?
  /// Patterns of tools that are not allowed.
  private let ignored: [String]
  private let log: any LogSink
  private let parameters = Mutex<(table: [String: [Parameter]], isWhole: Bool)>(([:], true))

  init(allowed: [String]?, ignored: [String], log: any LogSink) { (self.allowed, self.ignored, self.log) = (allowed, ignored, log) }

  private var isLimited: Bool { allowed != nil || !ignored.isEmpty }

  /// Returns the option that does not allow the tool; nil if it is allowed. A tool whose name cannot be read is another tool, and `fnmatch` reads
  /// none behind U+0000.
  private func option(against name: String?) -> String? {
    let name = name?.utf8.contains(0) == true ? nil : name
    func matches(_ pattern: String) -> Bool { name.map { fnmatch(pattern, $0, 0) == 0 } ?? false }
    if let allowed, !allowed.contains(where: matches) { return "--allow-tool" }
    return ignored.contains(where: matches) || isLimited && name == nil ? "--ignore-tool" : nil
  }

  /// Returns why the host may not send a line; nil if it may.
  func refusal(of line: Message) -> Failure? {
    guard isLimited else { return nil }
    var json = line.json
    if json == .null { json = line.envelope }
    for part in json.array ?? [json] {
      if part.isAmbiguous { return Failure("the line can be read in two ways, because of its names", code: -32600) }
      let name = part["params"]?["name"]?.string
      guard part["method"]?.string == "tools/call", let option = option(against: name) else { continue }
      let problem = "\(option) does not allow \(name.map { "the tool \($0)" } ?? "a call whose tool cannot be read")"
      return Failure(problem, code: -32602, data: ["kind": "notAllowed"])
    }
    return nil
  }

  /// Whether the host may get a message of the server.
  func admits(_ message: Message) -> Bool { !isLimited || !(message.method == nil ? message.envelope : message.json).isAmbiguous }

  /// Returns the server's list with the tools that the host may use. The list passes unchanged if these are all.
  func admitted(_ list: Message, isStateless: Bool) -> Message {
    guard isLimited || isStateless else { return list }
    let json = list.json
    if isLimited, json == .null || json.isAmbiguous, case .response(let id)? = list.parts.first {
      return .error(Failure("the server's list of tools cannot be read, which --allow-tool and --ignore-tool need"), of: id)
    }
    guard let tools = json["result"]?["tools"]?.array else { return list }
    // A list after a whole one begins again.
    parameters.withLock { $0 = ($0.isWhole ? [:] : $0.table, json["result"]?["nextCursor"] == nil) }
    let admitted = tools.filter { tool in
      let name = tool["name"]?.string ?? ""
      return option(against: name) == nil && (!isStateless || note(tool, name))
    }
    guard admitted.count < tools.count else { return list }
    return Message(json.replacing("result", by: (json["result"] ?? .null).replacing("tools", by: .array(admitted))))
  }

  /// Learns a tool's headers. Returns false if they are invalid: a client must leave such a tool out.
  private func note(_ tool: JSON, _ name: String) -> Bool {
    var found: [Parameter] = []
    do {
      try Self.collect(from: tool["inputSchema"] ?? .null, at: [], into: &found)
    } catch {
      log.take(.init(.warning, "the tool \(name.plain) is left out: its x-mcp-header breaks the rules of MCP"))
      return false
    }
    parameters.withLock { $0.table[name] = found }
    return true
  }

  /// `path` is nil where no plain chain of `properties` leads.
  private static func collect(from schema: JSON, at path: [String]?, into found: inout [Parameter]) throws {
    for element in schema.array ?? [] { try collect(from: element, at: nil, into: &found) }
    for member in schema.members ?? [] where !data.contains(member.name) {
      switch member.name {
      case mark:
        guard let path, !path.isEmpty, let header = member.value.string, HTTPRequest.isToken(header),
          ["string", "integer", "boolean"].contains(schema["type"]?.string),
          !found.contains(where: { $0.header.lowercased() == header.lowercased() })
        else { throw Invalid() }
        found.append(Parameter(path: path, header: header))
      case "properties":
        for property in member.value.members ?? [] {
          try collect(from: property.value, at: path.map { $0 + [property.name] }, into: &found)
        }
      default: try collect(from: member.value, at: nil, into: &found)
      }
    }
  }

  /// Returns the headers that repeat a call's arguments.
  func headers(of call: JSON) -> [HTTPHeader] {
    let found = call["name"]?.string.flatMap { name in parameters.withLock { $0.table[name] } } ?? []
    return found.compactMap { parameter in
      let value = parameter.path.reduce(call["arguments"]) { $0?[$1] }
      let text: String
      switch value {
      case .string(let string): text = string
      case .integer, .real, .bool: text = value?.line ?? ""
      default: return nil
      }
      return HTTPHeader("Mcp-Param-" + parameter.header, HTTPHeader.encoded(text))
    }
  }
}

extension HTTPHeader {
  /// Returns the text as MCP writes it in a header: in base64 if it is not plain, visible ASCII.
  static func encoded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !text.hasPrefix(" ") && !text.hasSuffix(" ")
    let isMarked = text.hasPrefix("=?base64?") && text.hasSuffix("?=")
    return isPlain && !isMarked ? text : "=?base64?\(Base64.encode(Array(text.utf8)))?="
  }
}

extension JSON {
  /// Names that decide what a message is.
  private static let decisive: Set = ["method", "params", "name", "id", "tools"]

  /// Whether two readers can take a part of a line for two different messages: servers in Go read `"Name"` as `"name"`.
  var isAmbiguous: Bool {
    if self["method"] != nil, self["result"] != nil || self["error"] != nil { return true }
    return [self, self["params"] ?? .null, self["result"] ?? .null].contains { object in
      var names = Set<String>()
      return (object.members ?? []).contains { member in
        // Go takes `ſ` for `s` as well.
        let plain = member.name.uppercased().lowercased()
        return !names.insert(plain).inserted || Self.decisive.contains(plain) && plain != member.name
      }
    }
  }

  /// Returns the object with another value of the member, or with the member.
  func replacing(_ name: String, by value: JSON) -> JSON { .object((members ?? []).filter { $0.name != name } + [Member(name, value)]) }
}
