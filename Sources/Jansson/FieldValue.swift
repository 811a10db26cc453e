/// A value that can stand in a member: read from JSON, written to it, and described by a JSON Schema of draft-07, which OpenRPC asks for.
package protocol FieldValue: Sendable {
  static var schema: JSON { get }
  /// What `Fields` hands out while it describes.
  static var placeholder: Self { get }
  /// Whether `null` is a value of its own; elsewhere a null member counts as absent.
  static var acceptsNull: Bool { get }
  static func read(_ json: JSON, at path: String) throws(FieldError) -> Self
  func write(to writer: inout JSONWriter)
}

extension FieldValue {
  package static var acceptsNull: Bool { false }
}

extension String: FieldValue {
  package static var schema: JSON { ["type": "string"] }
  package static var placeholder: String { "" }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> String {
    guard let value = json.string else { throw FieldError(path, "has to be a string, not \(json.kind)") }
    return value
  }
  package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Int: FieldValue {
  package static var schema: JSON { ["type": "integer"] }
  package static var placeholder: Int { 0 }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Int {
    switch json {
    case .integer(let value): return value
    // Lua and JavaScript encoders write whole numbers as 5.0 now and then; the value is an integer all the same.
    case .real(let value) where value == value.rounded() && value.magnitude <= 9_007_199_254_740_991: return Int(value)
    default: throw FieldError(path, "has to be an integer, not \(json.kind)")
    }
  }
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Bool: FieldValue {
  package static var schema: JSON { ["type": "boolean"] }
  package static var placeholder: Bool { false }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Bool {
    guard case .bool(let value) = json else { throw FieldError(path, "has to be true or false, not \(json.kind)") }
    return value
  }
  package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

/// Any JSON at all, null included.
extension JSON: FieldValue {
  package static var schema: JSON { .object([]) }
  package static var placeholder: JSON { .null }
  package static var acceptsNull: Bool { true }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> JSON { json }
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Array: FieldValue where Element: FieldValue {
  package static var schema: JSON { ["type": "array", "items": Element.schema] }
  package static var placeholder: [Element] { [] }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> [Element] {
    switch json {
    case .array(let elements):
      var values: [Element] = []
      values.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() { values.append(try Element.read(element, at: "\(path)/\(index)")) }
      return values
    // Lua writes an empty list as an empty object.
    case .object(let members) where members.isEmpty: return []
    default: throw FieldError(path, "has to be an array, not \(json.kind)")
    }
  }
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

/// Names with a value each, in the order they came.
package struct NamedValues<Value: FieldValue>: FieldValue {
  package var pairs: [(name: String, value: Value)]

  package init(_ pairs: [(name: String, value: Value)] = []) { self.pairs = pairs }

  package subscript(_ name: String) -> Value? { pairs.first { $0.name == name }?.value }

  package static var schema: JSON { ["type": "object", "additionalProperties": Value.schema] }
  package static var placeholder: NamedValues { NamedValues() }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> NamedValues {
    if case .array(let elements) = json, elements.isEmpty { return NamedValues() }
    guard let members = json.members else { throw FieldError(path, "has to be an object, not \(json.kind)") }
    var pairs: [(name: String, value: Value)] = []
    for member in members { pairs.append((member.name, try Value.read(member.value, at: Fields.pointer(to: member.name, in: path)))) }
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

/// A word out of a fixed list.
package protocol FieldWord: FieldValue, RawRepresentable, CaseIterable where RawValue == String {}

extension FieldWord {
  package static var schema: JSON { ["type": "string", "enum": .array(allCases.map { .string($0.rawValue) })] }
  package static var placeholder: Self { allCases[allCases.startIndex] }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Self {
    if case .string(let word) = json, let value = Self(rawValue: word) { return value }
    throw FieldError(path, "has to be one of \(allCases.map(\.rawValue).joined(separator: ", "))")
  }
  package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// An object inside a member, read and described by its own declarations.
package protocol FieldObject: FieldValue, FieldReadable {}

extension FieldObject {
  package static var schema: JSON {
    // Describing cannot fail: every initialiser reads before it checks, and a test describes them all.
    let declared = (try? declarations) ?? []
    return Fields.objectSchema(declared, isClosed: true)
  }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Self { try decode(json, at: path) }
}

extension Fields {
  /// The schema of an object with these members.
  package static func objectSchema(_ declarations: [Declaration], isClosed: Bool) -> JSON {
    let properties = declarations.map { JSON.Member($0.name, $0.schema.described($0.documentation)) }
    var schema: [JSON.Member] = [.init("type", "object"), .init("properties", .object(properties))]
    let required = declarations.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { schema.append(.init("required", .array(required))) }
    if isClosed { schema.append(.init("additionalProperties", false)) }
    return .object(schema)
  }
}

extension JSON {
  /// The schema with `null` beside what it lets in: an optional member that is null counts as absent.
  package var orNull: JSON {
    guard case .object(var members) = self else { return self }
    for index in members.indices {
      switch (members[index].name, members[index].value) {
      case ("type", .string(let type)): members[index].value = [.string(type), "null"]
      case ("enum", .array(let words)): members[index].value = .array(words + [.null])
      case ("anyOf", .array(let schemas)): members[index].value = .array(schemas + [["type": "null"]])
      default: break
      }
    }
    return .object(members)
  }

  /// The schema with a doc line to it.
  package func described(_ documentation: String) -> JSON {
    guard case .object(let members) = self, !documentation.isEmpty, self["description"] == nil else { return self }
    return .object(members + [Member("description", .string(documentation))])
  }
}

extension NamedValues where Value == String {
  package var json: JSON { .object(pairs.map { JSON.Member($0.name, .string($0.value)) }) }
}

extension NamedValues: Equatable where Value: Equatable {
  package static func == (left: NamedValues, right: NamedValues) -> Bool {
    left.pairs.elementsEqual(right.pairs) { $0.name == $1.name && $0.value == $1.value }
  }
}
