import Jansson
import OAuthCore
import Platform

/// A JSON-RPC message, or a batch of 2025-03-26: its bytes, which pass unchanged, and what each part of it is.
struct Message: Sendable {
  enum Part: Sendable {
    case request(id: JSON, method: String)
    case notification(method: String)
    case response(id: JSON)
  }

  /// On one line.
  private(set) var bytes: [UInt8]
  /// The message with `null` in the place of params and results.
  let envelope: JSON
  let parts: [Part]
  /// The number of the host's line, because a host may use the id of an answered request again; 0 for other messages.
  var line = 0
  /// The id by which the server knows a repeated request; nil for that of the host.
  private(set) var sentID: JSON?
  /// The page that the host has opened before it repeated the call; empty if the user did not want it, nil for other messages.
  var openedPage: String?

  /// Returns nil if the bytes are no message. Params and results are not looked at, because they pass unchanged, however large their numbers are.
  init?(_ bytes: [UInt8]) {
    if case .failure(let reason) = JSON.Scan.splice(bytes) {
      if Self.faults.contains(reason) { return nil }
      // A text may have an escaped U+0000, but no name, which the process could not read.
      if reason == .nul, (try? JSON.parseRounding(bytes)) == nil { return nil }
    }
    guard let envelope = JSON.withoutParams(bytes).flatMap({ try? JSON.parseRounding($0) }) else { return nil }
    let parts = (envelope.array ?? [envelope]).map(Self.part)
    guard !parts.isEmpty, !parts.contains(where: { $0 == nil }) else { return nil }
    (self.envelope, self.parts) = (envelope, parts.compactMap(\.self))
    // Between tokens, a line end is a blank. In a string it would be escaped (RFC 8259, 2 and 7).
    let hasLineEnds = Self.lineEnds.contains { bytes.contains(bytes: [$0]) }
    self.bytes = hasLineEnds ? bytes.map { Self.lineEnds.contains($0) ? 0x20 : $0 } : bytes
  }

  /// What no reader of JSON accepts.
  private static let faults: Set<JSON.Scan.Reason> = [.empty, .notJSON, .notUTF8, .tooDeep]

  init(_ json: JSON) {
    (bytes, envelope) = (json.text, json)
    parts = Self.part(json).map { [$0] } ?? []
  }

  private static func part(_ json: JSON) -> Part? {
    if let method = json["method"]?.string {
      guard let id = json["id"] else { return .notification(method: method) }
      switch id {
      case .string, .integer, .real, .null: return .request(id: id, method: method)
      default: return nil
      }
    }
    guard json["result"] != nil || json["error"] != nil else { return nil }
    return .response(id: json["id"] ?? .null)
  }

  private static let lineEnds: [UInt8] = [0x0A, 0x0D]

  /// The ids of the requests in it.
  var requests: [JSON] { parts.compactMap { if case .request(let id, _) = $0 { id } else { nil } } }

  func method(of id: JSON) -> String? {
    for case .request(id, let method) in parts { return method }
    return nil
  }

  /// The method of a single request or notification.
  var method: String? {
    switch parts.count == 1 ? parts[0] : nil {
    case .request(_, let method), .notification(let method): method
    default: nil
    }
  }

  /// The whole message, for the few that the bridge must understand. Numbers beyond 64 bits are rounded.
  var json: JSON { (try? JSON.parseRounding(bytes)) ?? .null }

  /// Returns the message as the server gets it, with other params. For the host, it is the same one.
  func sending(_ params: [JSON.Member], id: JSON? = nil) -> Message {
    let json = json.replacing("params", by: .object(params))
    var copy = self
    (copy.sentID, copy.bytes) = (id, (id.map { json.replacing("id", by: $0) } ?? json).text)
    return copy
  }

  /// Whether the text is in the bytes. Most messages lack it, and are read no further.
  func contains(_ text: some Sequence<UInt8>) -> Bool { bytes.contains(bytes: Array(text)) }

  static func notification(_ method: String, _ params: JSON? = nil) -> Message {
    Message(.object([.init("jsonrpc", "2.0"), .init("method", .string(method))] + (params.map { [.init("params", $0)] } ?? [])))
  }

  static func result(_ result: JSON, of id: JSON) -> Message { Message(["jsonrpc": "2.0", "id": id, "result": result]) }

  static func error(_ failure: Failure, of id: JSON) -> Message { Message(["jsonrpc": "2.0", "id": id, "error": failure.json]) }
}

/// Why a request has no answer of the server, as an error of JSON-RPC.
struct Failure: Error, Sendable {
  /// The first of the codes that JSON-RPC leaves to servers. MCP's own codes begin at -32020.
  static let bridge = -32000

  var json: JSON
  /// The HTTP status that it is from.
  var status: Int?

  init(_ message: String, code: Int = Self.bridge, data: JSON? = nil, status: Int? = nil) {
    self.status = status
    json = .object([.init("code", .integer(code)), .init("message", .string(message.plain))] + (data.map { [.init("data", $0)] } ?? []))
  }

  /// An error of the server.
  init(json: JSON) { self.json = json }

  var message: String { json["message"]?.string ?? "" }

  /// Whether a server that knows only 2026-07-28 says this to `initialize`.
  var isOnlyStateless: Bool { json["code"]?.integer.map(Stateless.onlyErrors.contains) == true }
}
