/// An object that this process sends: a result, an event's params or an error's data. Its one list of members serves for writing and describing.
package protocol JSONObjectConvertible: Sendable {
  /// Any value of the type, from which `ObjectWriter` takes the types while it describes.
  static var sample: Self { get }
  /// The object's schema. It is generated from `list`, unless a server defines the object.
  static var schema: JSON { get }
  /// The type's name in documents, or nil if the place that uses it decides.
  static var schemaName: String? { get }
  func list(_ members: inout ObjectWriter)
}

extension JSONObjectConvertible {
  /// The object as JSON text.
  package var text: [UInt8] {
    var members = ObjectWriter(writing: ())
    list(&members)
    return members.end()
  }

  /// Writes the object at the writer's position.
  package func write(to writer: inout JSONWriter) {
    var members = ObjectWriter(goingOnWith: &writer)
    list(&members)
    members.end(givingBackTo: &writer)
  }

  package static var schemaName: String? { nil }

  package static var schema: JSON {
    var members = ObjectWriter(describing: ())
    sample.list(&members)
    return ObjectReader.objectSchema(members.declarations, isClosed: true)
  }
}
