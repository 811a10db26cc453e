import Jansson

/// An error on the wire (JSON-RPC 2.0 §5.1): code, message and data only. Some clients' readers crash on a fourth member.
package struct RPCError: Error, Sendable, Equatable {
  package var code: Int
  /// A complete lower-case sentence without secrets. Never empty.
  package var message: String
  package var data: JSON?

  package init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    // The message may contain names that a caller or a server chose.
    self.message = message.plain
    self.data = data
  }

  package static func parseError(at position: Int, _ what: String = "is not valid JSON") -> RPCError {
    RPCError(code: -32700, message: "the input \(what)", data: ["position": .integer(position)])
  }

  package static func invalidRequest(_ message: String) -> RPCError { RPCError(code: -32600, message: message) }

  package static let methodNotFoundCode = -32601
  package static let invalidParamsCode = -32602
  package static let internalErrorCode = -32603

  static func methodNotFound(_ name: String) -> RPCError {
    // A long name is left out, because a name of megabytes would cause a message of megabytes.
    let isNamed = !name.isEmpty && name.utf8.count <= 100 && name.utf8.elementsEqual(name.plain.utf8)
    return RPCError(code: methodNotFoundCode, message: "there is no method \(isNamed ? name : "of that name")")
  }

  package static func invalidParams(_ error: FieldError) -> RPCError {
    RPCError(code: invalidParamsCode, message: error.message, data: ["path": .string(error.path)])
  }

  /// The answer to a request that the client itself cancelled, and to no other (LSP 3.17, RequestCancelled).
  package static let cancelled = RPCError(code: -32800, message: "the request was cancelled")

  /// Returns the error for a number that has no exact representation. A rounded one would mean another value.
  static func largeNumber(at position: Int) -> RPCError {
    RPCError(code: -32600, message: "a number is beyond 64 bits; write it as a string", data: ["position": .integer(position)])
  }

  /// Returns the error for invalid JSON. The usual cause depends on the message's `framing`.
  package init(_ fault: JSONFault, _ framing: Framing) {
    switch fault {
    case .syntax(let position, .malformed): self = .parseError(at: position)
    case .syntax(let position, .notUTF8): self = .parseError(at: position, "is not UTF-8")
    case .syntax(let position, .endsEarly):
      let hint = framing == .lines ? "a message is one line unless a content-length goes before it" : "content-length counts bytes"
      self = .parseError(at: position, "ends in the middle of its JSON; \(hint)")
    case .syntax(let position, .goesOn):
      let hint = framing == .lines ? "a line is one message" : "content-length counts bytes"
      self = .parseError(at: position, "continues after its JSON; \(hint)")
    case .duplicateMember(let position):
      self = RPCError(code: -32600, message: "a member occurs twice in one object", data: ["position": .integer(position)])
    case .nulInName(let position):
      self = RPCError(code: -32600, message: "a member's name contains U+0000", data: ["position": .integer(position)])
    case .tooDeep(let limit): self = .invalidRequest("the JSON is nested deeper than \(limit) levels")
    case .numberOutOfRange: self = .largeNumber(at: 0)
    }
  }

  /// `{"code":…,"message":…,"data":…}`
  package var json: JSON {
    .object([.init("code", .integer(code)), .init("message", .string(message))] + (data.map { [.init("data", $0)] } ?? []))
  }
}
