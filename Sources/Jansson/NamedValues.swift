/// Names, each with a value, in their original order.
package struct NamedValues<Value: FieldValue>: FieldValue {
  package var pairs: [(name: String, value: Value)]

  package init(_ pairs: [(name: String, value: Value)] = []) { self.pairs = pairs }

  package subscript(_ name: String) -> Value? { pairs.first { $0.name == name }?.value }

  package static var schema: JSON { ["type": "object", "additionalProperties": Value.reference] }
  package static var placeholder: NamedValues { NamedValues() }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> NamedValues {
    if case .array(let elements) = json, elements.isEmpty { return NamedValues() }
    guard let members = json.members else { throw FieldError(path, "must be an object, not \(json.kind)") }
    var pairs: [(name: String, value: Value)] = []
    for member in members { pairs.append((member.name, try Value.read(member.value, at: ObjectReader.pointer(to: member.name, in: path)))) }
    return NamedValues(pairs)
  }
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for pair in pairs {
      writer.name(pair.name)
      pair.value.write(to: &writer)
    }
    writer.endObject()
  }
}
