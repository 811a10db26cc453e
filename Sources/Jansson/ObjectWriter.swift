/// Collects the members of a `JSONObjectConvertible`: as text while writing, as declarations while describing.
package struct ObjectWriter {
  @usableFromInline enum Mode { case writing, describing, ended }

  @usableFromInline var mode: Mode
  @usableFromInline var writer: JSONWriter
  package private(set) var declarations: [ObjectReader.Declaration] = []

  package init(writing: Void) {
    mode = .writing
    writer = JSONWriter()
    writer.beginObject()
  }

  /// Continues the text of `writer`. The writer is empty until `end` returns the text.
  package init(goingOnWith writer: inout JSONWriter) {
    mode = .writing
    self.writer = JSONWriter(reserving: 0)
    swap(&self.writer, &writer)
    self.writer.beginObject()
  }

  package init(describing: Void) {
    mode = .describing
    writer = JSONWriter(reserving: 0)
  }

  /// Ends the object and returns its text. The text is moved, because copying a body of megabytes is expensive.
  package mutating func end() -> [UInt8] {
    guard mode == .writing else { return [] }
    var ended = JSONWriter(reserving: 0)
    end(givingBackTo: &ended)
    return ended.bytes
  }

  package mutating func end(givingBackTo writer: inout JSONWriter) {
    swap(&self.writer, &writer)
    writer.endObject()
    mode = .ended
  }

  @inlinable package mutating func add<Value: FieldValue>(_ name: String, _ value: Value, _ documentation: String) {
    put(name, value, documentation)
  }

  /// Adds a member, or nothing if the value is nil. `null` is never written instead.
  @inlinable package mutating func add<Value: FieldValue>(optional name: String, _ value: Value?, _ documentation: String) {
    put(optional: name, value, documentation)
  }

  // Overloads for the common types. The generic functions are not specialised across targets and look up the optional's type for every member,
  // which makes a whole process take a tenth longer.
  package mutating func add(_ name: String, _ value: String, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(_ name: String, _ value: Bool, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(_ name: String, _ value: Int, _ documentation: String) { put(name, value, documentation) }
  package mutating func add(optional name: String, _ value: String?, _ documentation: String) { put(optional: name, value, documentation) }
  package mutating func add(optional name: String, _ value: Bool?, _ documentation: String) { put(optional: name, value, documentation) }
  package mutating func add(optional name: String, _ value: Int?, _ documentation: String) { put(optional: name, value, documentation) }
  package mutating func add(optional name: String, _ value: [String]?, _ documentation: String) {
    put(optional: name, value, documentation)
  }
  package mutating func add(optional name: String, _ value: JSON?, _ documentation: String) { put(optional: name, value, documentation) }
  // A lookup of this type makes the runtime search all of the program's conformances.
  package mutating func add(optional name: String, _ value: NamedValues<String>?, _ documentation: String) {
    put(optional: name, value, documentation)
  }

  @inlinable @inline(__always)
  mutating func put<Value: FieldValue>(_ name: String, _ value: Value, _ documentation: String) {
    if mode == .describing { return declare(name, isRequired: true, Value.reference, documentation) }
    writer.name(name)
    value.write(to: &writer)
  }

  @inlinable @inline(__always)
  mutating func put<Value: FieldValue>(optional name: String, _ value: Value?, _ documentation: String) {
    if mode == .describing { return declare(name, isRequired: false, Value.reference, documentation) }
    guard let value else { return }
    writer.name(name)
    value.write(to: &writer)
  }

  @usableFromInline mutating func declare(_ name: String, isRequired: Bool, _ schema: JSON, _ documentation: String) {
    declarations.append(.init(name: name, isRequired: isRequired, schema: schema, documentation: documentation))
  }
}
