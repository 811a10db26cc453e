import Jansson

/// An answer object that is nested in another one.
protocol NestedObject: JSONObjectConvertible, FieldValue {}

extension NestedObject {
  static var schemaName: String? { "\(Self.self)" }
  static var schema: JSON {
    var members = ObjectWriter(describing: ())
    sample.list(&members)
    return ObjectReader.objectSchema(members.declarations, isClosed: true)
  }

  static var placeholder: Self { sample }

  /// Always throws, because these objects are only written.
  static func read(_ json: JSON, at path: String) throws(FieldError) -> Self { throw FieldError(path, "is not read here") }
}
