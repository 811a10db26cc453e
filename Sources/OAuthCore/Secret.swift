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
}

extension Secret: FieldValue {
  package static var schema: JSON { ["type": "string"] }
  package static var placeholder: Secret { Secret("") }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Secret { Secret(try String.read(json, at: path)) }
  package func write(to writer: inout JSONWriter) { writer.string(value) }
}
