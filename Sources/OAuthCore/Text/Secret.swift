import Jansson

/// A value that prints without its content, which keeps secrets out of log lines, messages, crash reports and `dump`.
package protocol Confidential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Confidential {
  package var description: String { "…" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A token, code, verifier or client secret. It prints as `…`.
package struct Secret: Sendable, Equatable, Hashable, Confidential {
  /// The secret value, for the code that sends or stores it.
  package let value: String

  package init(_ value: String) { self.value = value }

  /// Takes a time that depends on the lengths alone. Otherwise a sender of many redirects could find a `state` byte by byte.
  package static func == (one: Secret, other: Secret) -> Bool {
    let (own, sent) = (one.value.utf8, other.value.utf8)
    return own.count == sent.count && zip(own, sent).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension Secret: FieldValue {
  package static var schema: JSON { ["type": "string"] }
  package static var placeholder: Secret { Secret("") }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Secret {
    // A client must not make the process read a file or run a command.
    if case .object = json { throw FieldError(path, "must be a string", ": a source belongs to the account's entry in the configuration") }
    return Secret(try String.read(json, at: path))
  }
  package func write(to writer: inout JSONWriter) { writer.string(value) }
}
