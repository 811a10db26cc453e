import Jansson

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
