import Jansson

/// A token, a code, a verifier or a client secret: it prints as `…`, so that no log line, message or crash can hold it by mistake.
package struct Secret: Sendable, Equatable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret itself, for the one place that sends or stores it.
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
