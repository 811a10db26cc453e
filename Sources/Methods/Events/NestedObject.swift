import Jansson

/// An answer object that is nested in another one.
package protocol NestedObject: JSONObjectConvertible, FieldValue {}

extension NestedObject {
  package static var schemaName: String? { "\(Self.self)" }
  package static var placeholder: Self { sample }

  /// Always throws, because these objects are only written.
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Self { throw FieldError(path, "is not read here") }
}
