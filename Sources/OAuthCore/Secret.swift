import Jansson

/// A token, code, verifier or client secret. It prints as `…`, which keeps it out of log lines, messages and crash reports.
package struct Secret: Sendable, Equatable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret value, for the code that sends or stores it.
  package let value: String

  package init(_ value: String) { self.value = value }

  package var description: String { "…" }
  package var debugDescription: String { "…" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret: FieldValue {
  package static var schema: JSON { ["type": "string"] }
  package static var placeholder: Secret { Secret("") }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Secret { Secret(try String.read(json, at: path)) }
  package func write(to writer: inout JSONWriter) { writer.string(value) }
}
