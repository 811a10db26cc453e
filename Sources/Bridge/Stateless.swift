import Jansson
import OAuthCore

/// Version 2026-07-28: each request carries its version, there are no sessions, and a closed stream is a cancellation.
enum Stateless {
  static let discover = "server/discover"
  /// The error of a server that misses a header which repeats an argument.
  static let headerMismatch = -32020
  /// The errors with which a server that knows only this version answers `initialize`.
  static let onlyErrors = [headerMismatch, -32021, -32022, -32601]
  private static let prefix = "io.modelcontextprotocol/"
  /// What names the subject of a method in the header `Mcp-Name`.
  private static let names = [
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
    "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId",
  ]

  /// Returns the headers that repeat what a request says; nil for a request of an earlier version.
  static func headers(of message: Message, _ tools: Tools?) -> [HTTPHeader]? {
    guard let method = message.method, mayBe(message) else { return nil }
    let params = message.json["params"] ?? .null
    guard let version = params["_meta"]?[prefix + "protocolVersion"]?.string else { return nil }
    var headers = [HTTPHeader("MCP-Protocol-Version", version), HTTPHeader("Mcp-Method", HTTPHeader.encoded(method))]
    if let name = names[method].flatMap({ params[$0]?.string }) { headers.append(HTTPHeader("Mcp-Name", HTTPHeader.encoded(name))) }
    return headers + (method == "tools/call" ? tools?.headers(of: params) ?? [] : [])
  }

  /// Whether it may be a request of this version.
  static func mayBe(_ message: Message) -> Bool { !message.requests.isEmpty && message.contains((prefix + "protocolVersion").utf8) }

  /// Returns what a host of this version has declared in a request; nil for other messages.
  static func capabilities(of message: Message) -> JSON? {
    guard mayBe(message), let meta = message.json["params"]?["_meta"], meta[prefix + "protocolVersion"] != nil else { return nil }
    return meta[prefix + "clientCapabilities"] ?? .null
  }

  /// Returns a request with the same `_meta` as another one.
  static func request(_ method: String, id: JSON, _ params: [JSON.Member] = [], meta: JSON) -> Message {
    Message(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": .object(params + [.init("_meta", meta)])])
  }
}
