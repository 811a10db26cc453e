/// A value of a member: read from JSON, written to it, and described by a JSON Schema of draft-07, which OpenRPC requires.
package protocol FieldValue: Sendable {
  static var schema: JSON { get }
  /// The type's name in documents, which then contain its schema once. nil puts the schema into each member of the type.
  static var schemaName: String? { get }
  /// The value that `ObjectReader` returns while it describes.
  static var placeholder: Self { get throws(FieldError) }
  /// Whether `null` is a valid value. For other types, a null member counts as absent.
  static var acceptsNull: Bool { get }
  static func read(_ json: JSON, at path: String) throws(FieldError) -> Self
  func write(to writer: inout JSONWriter)
}

extension FieldValue {
  package static var schemaName: String? { nil }
  package static var acceptsNull: Bool { false }

  /// The schema by its name, for members of the type.
  package static var reference: JSON { schema.named(schemaName) }

  /// The value as data for a schema.
  var data: JSON {
    var writer = JSONWriter()
    write(to: &writer)
    return (try? JSON.parse(writer.bytes)) ?? .null
  }
}

extension String: FieldValue {
  package static var schema: JSON { ["type": "string"] }
  package static var placeholder: String { "" }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> String {
    guard let value = json.string else { throw FieldError(path, "must be a string, not \(json.kind)") }
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
    // Lua and JavaScript encoders may write whole numbers as 5.0. Such a value counts as an integer.
    case .real(let value) where value == value.rounded() && value.magnitude <= 9_007_199_254_740_991: return Int(value)
    default: throw FieldError(path, "must be an integer, not \(json.kind)")
    }
  }
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Bool: FieldValue {
  package static var schema: JSON { ["type": "boolean"] }
  package static var placeholder: Bool { false }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Bool {
    guard case .bool(let value) = json else { throw FieldError(path, "must be true or false, not \(json.kind)") }
    return value
  }
  package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

/// Any JSON value, including null.
extension JSON: FieldValue {
  package static var schema: JSON { .object([]) }
  package static var placeholder: JSON { .null }
  package static var acceptsNull: Bool { true }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> JSON { json }
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Array: FieldValue where Element: FieldValue {
  package static var schema: JSON { ["type": "array", "items": Element.reference] }
  package static var placeholder: [Element] { [] }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> [Element] {
    switch json {
    case .array(let elements):
      return try elements.indices.map { index throws(FieldError) in try Element.read(elements[index], at: "\(path)/\(index)") }
    // Lua writes an empty list as an empty object.
    case .object(let members) where members.isEmpty: return []
    default: throw FieldError(path, "must be an array, not \(json.kind)")
    }
  }
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

extension StringEnum {
  package static var schemaName: String? { "\(Self.self)" }
  package var documentation: String { "" }

  package static var schema: JSON {
    let words: [JSON.Member] = [.init("type", "string"), .init("enum", .array(allCases.map { .string($0.rawValue) }))]
    let texts = allCases.map { JSON.string($0.documentation) }
    return .object(texts.contains { $0 != "" } ? words + [.init(SchemaDefinitions.enumDescriptions, .array(texts))] : words)
  }
  package static var placeholder: Self { allCases[allCases.startIndex] }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Self {
    if case .string(let word) = json, let value = Self(rawValue: word) { return value }
    throw FieldError(path, "must be one of \(allCases.map(\.rawValue).joined(separator: ", "))")
  }
  package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

extension FieldObject {
  package static var schemaName: String? { "\(Self.self)" }
  package static var schema: JSON {
    // Describing cannot fail, as `declarations` says.
    let declared = (try? declarations) ?? []
    return ObjectReader.objectSchema(declared, isClosed: true)
  }
  package static var placeholder: Self {
    get throws(FieldError) {
      var fields = ObjectReader(describing: ())
      return try Self(&fields)
    }
  }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Self { try decode(json, at: path) }
  /// Params and files are only read.
  package func write(to writer: inout JSONWriter) { writer.null() }
}

extension ObjectReader {
  /// Returns the schema of an object with these members.
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
  /// The schema with `null` also allowed, because an optional member that is null counts as absent.
  package var orNull: JSON {
    guard case .object(var members) = self else { return self }
    // Generators ignore the type of a map's values if the map has two types.
    if isReference || self["additionalProperties"]?.members != nil { return ["anyOf": [self, ["type": "null"]]] }
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

  /// Returns the schema with a member's default.
  func with(default value: JSON?) -> JSON {
    guard case .object(let members) = self, let value else { return self }
    return .object(members + [Member("default", value)])
  }

  /// Returns the schema with a description.
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
    left.pairs.count == right.pairs.count && left.pairs.indices.allSatisfy { left.pairs[$0] == right.pairs[$0] }
  }
}

/// The fault of one place in an object from outside, with its JSON pointer (RFC 6901).
package struct FieldError: Error, Sendable, Equatable {
  package var path: String
  /// The fault, as the end of a sentence that starts with the path. It never quotes the value, which may be a secret.
  package var problem: String
  /// Why that is so, or what a client can do, with the sign before it. A command line says it in its own words.
  package var explanation: String

  package init(_ path: String, _ problem: String, _ explanation: String = "") {
    (self.path, self.problem, self.explanation) = (path, problem, explanation)
  }

  package static func == (left: FieldError, right: FieldError) -> Bool { left.message == right.message }

  package static func missing(_ path: String, _ explanation: String = "") -> FieldError { FieldError(path, "is missing", explanation) }

  /// Returns the error for an object that has none of several members but needs one.
  package static func missing(_ path: String, oneOf names: String) -> FieldError { FieldError(path, oneIsMissing + names) }

  private static let oneIsMissing = "must have exactly one of "

  package var isMissing: Bool { problem == Self.missing(path).problem || problem.hasPrefix(Self.oneIsMissing) }

  /// The problem with its explanation.
  package var wholeProblem: String { problem + explanation }

  /// The whole sentence, such as `/account is missing`.
  package var message: String { "\(path.isEmpty ? "the object" : path) \(wholeProblem)" }
}
