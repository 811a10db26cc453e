/// Collects the members of a `JSONObjectConvertible`: as text while writing, as declarations while describing.
package struct ObjectWriter {
  private let isDescribing: Bool
  private var writer = JSONWriter()
  package private(set) var declarations: [ObjectReader.Declaration] = []

  /// Continues the text of `writer`. The writer is empty until `end` gives the text back.
  package init(goingOnWith writer: inout JSONWriter) {
    isDescribing = false
    swap(&self.writer, &writer)
    self.writer.beginObject()
  }

  package init(describing: Void) { isDescribing = true }

  /// Ends the object. The text is moved, because copying a body of megabytes is expensive.
  package mutating func end(givingBackTo writer: inout JSONWriter) {
    self.writer.endObject()
    swap(&self.writer, &writer)
  }

  package mutating func add<Value: FieldValue>(_ name: String, _ value: Value, _ documentation: String) {
    if isDescribing { return declare(name, isRequired: true, Value.reference, documentation) }
    writer.name(name)
    value.write(to: &writer)
  }

  /// Adds a member, or nothing if the value is nil. `null` is never written instead.
  package mutating func add<Value: FieldValue>(optional name: String, _ value: Value?, _ documentation: String) {
    if isDescribing { return declare(name, isRequired: false, Value.reference, documentation) }
    if let value { add(name, value, documentation) }
  }

  private mutating func declare(_ name: String, isRequired: Bool, _ schema: JSON, _ documentation: String) {
    declarations.append(.init(name: name, isRequired: isRequired, schema: schema, documentation: documentation))
  }
}
