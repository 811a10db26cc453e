/// Collects the members of a `JSONObjectConvertible`: as text while writing, as declarations while describing.
package struct ObjectWriter {
  @usableFromInline let isDescribing: Bool
  @usableFromInline var writer: JSONWriter
  package private(set) var declarations: [ObjectReader.Declaration] = []

  /// Continues the text of `writer`. The writer is empty until `end` returns the text.
  package init(goingOnWith writer: inout JSONWriter) {
    isDescribing = false
    self.writer = JSONWriter(reserving: 0)
    swap(&self.writer, &writer)
    self.writer.beginObject()
  }

  package init(describing: Void) {
    isDescribing = true
    writer = JSONWriter(reserving: 0)
  }

  /// Ends the object. The text is moved, because copying a body of megabytes is expensive.
  package mutating func end(givingBackTo writer: inout JSONWriter) {
    swap(&self.writer, &writer)
    writer.endObject()
  }

  @inlinable package mutating func add<Value: FieldValue>(_ name: String, _ value: Value, _ documentation: String) {
    put(name, value, isRequired: true, documentation)
  }

  /// Adds a member, or nothing if the value is nil. `null` is never written instead.
  @inlinable package mutating func add<Value: FieldValue>(optional name: String, _ value: Value?, _ documentation: String) {
    put(name, value, isRequired: false, documentation)
  }

  // Overloads for the common types. The generic functions are not specialised across targets, so they look up the optional's type for each member.
  package mutating func add(_ name: String, _ value: String, _ documentation: String) { put(name, value, isRequired: true, documentation) }
  package mutating func add(_ name: String, _ value: Bool, _ documentation: String) { put(name, value, isRequired: true, documentation) }
  package mutating func add(_ name: String, _ value: Int, _ documentation: String) { put(name, value, isRequired: true, documentation) }
  package mutating func add(optional name: String, _ value: String?, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(optional name: String, _ value: Bool?, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(optional name: String, _ value: Int?, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(optional name: String, _ value: [String]?, _ documentation: String) {
    put(name, value, documentation)
  }
  package mutating func add(optional name: String, _ value: JSON?, _ documentation: String) { put(name, value, documentation) }
  // This type is the slowest to look up.
  package mutating func add(optional name: String, _ value: NamedValues<String>?, _ documentation: String) {
    put(name, value, documentation)
  }

  @inlinable @inline(__always)
  mutating func put<Value: FieldValue>(_ name: String, _ value: Value?, isRequired: Bool = false, _ documentation: String) {
    if isDescribing { return declare(name, isRequired: isRequired, Value.reference, documentation) }
    guard let value else { return }
    writer.name(name)
    value.write(to: &writer)
  }

  @usableFromInline mutating func declare(_ name: String, isRequired: Bool, _ schema: JSON, _ documentation: String) {
    declarations.append(.init(name: name, isRequired: isRequired, schema: schema, documentation: documentation))
  }
}

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
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
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

extension JSON {
  /// Returns a reference that `SchemaDefinitions` resolves, or the schema itself if it has no name.
  package func named(_ name: String?) -> JSON {
    guard let name else { return self }
    return .object([Member("$ref", .string(name)), Member(SchemaDefinitions.definition, self)])
  }

  /// Whether this schema refers to a named one.
  var isReference: Bool { self[SchemaDefinitions.definition] != nil }
}

extension ObjectReader.Declaration {
  /// A member that always has the same text.
  package init(_ name: String, always text: String, _ documentation: String) {
    self.init(name: name, isRequired: true, schema: ["type": "string", "const": .string(text)], documentation: documentation)
  }
}
