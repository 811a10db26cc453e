/// A JSON value (RFC 8259): a tree of Swift values without C memory.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case real(Double)
  case string(String)
  case array([JSON])
  case object([Member])
  /// Bytes from another program that a scanner has accepted. They are printed unchanged, because rewriting numbers would change them.
  case verbatim([UInt8])

  /// One name and its value. Objects keep the order of their members.
  package struct Member: Sendable, Equatable {
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) { (self.name, self.value) = (name, value) }
  }

  /// Returns the value of the object's member, or nil if it has none or this value is not an object.
  package subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    // By index, to avoid copying each member.
    for index in members.indices where members[index].name == name { return members[index].value }
    return nil
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }

  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  package var array: [JSON]? { if case .array(let values) = self { values } else { nil } }

  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

  /// The value with all members sorted by name, for comparisons. Their order has no meaning (RFC 8259 §4), and some callers' tables have none.
  package var sorted: JSON {
    switch self {
    case .array(let values): .array(values.map(\.sorted))
    case .object(let members): .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
    default: self
    }
  }

  /// The kind of the value, in words for a message. The value itself may be a secret and is never quoted.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .real: "a number with a fraction"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .verbatim: "json"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// A member without a value is left out.
  package init(dictionaryLiteral elements: (String, JSON?)...) {
    self = .object(elements.compactMap { name, value in value.map { Member(name, $0) } })
  }
}

/// Why a text was rejected. Only jansson's code and position are used, because its error text quotes the input, which may be secret.
package enum JSONFault: Error, Sendable, Equatable {
  /// Not JSON, or not UTF-8; `position` counts bytes from 0.
  case syntax(position: Int, Syntax = .malformed)
  /// An object names a member twice, so two readers could take different values.
  case duplicateMember(position: Int)
  /// A member's name contains U+0000.
  case nulInName(position: Int)
  case tooDeep(limit: Int)
  /// JSON with a number beyond 64 bits.
  case numberOutOfRange

  /// How a text violates the JSON syntax.
  package enum Syntax: Sendable, Equatable { case malformed, notUTF8, endsEarly, goesOn }
}

/// Names, each with a value, in their original order.
package struct NamedValues<Value: Sendable>: Sendable {
  package var pairs: [(name: String, value: Value)]

  package init(_ pairs: [(name: String, value: Value)] = []) { self.pairs = pairs }

  package subscript(_ name: String) -> Value? { pairs.first { $0.name == name }?.value }

  /// Returns these values with the others added; a value of the same name is replaced.
  package func merged(with others: NamedValues) -> NamedValues { NamedValues(pairs.filter { others[$0.name] == nil } + others.pairs) }
}

/// Apart from the type: for each type that requires a protocol of its parameter, a process searches all conformances of the program once.
extension NamedValues: FieldValue where Value: FieldValue {
  package static var schema: JSON { ["type": "object", "additionalProperties": Value.reference] }
  package static var placeholder: NamedValues { NamedValues() }
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> NamedValues {
    if case .array(let elements) = json, elements.isEmpty { return NamedValues() }
    guard let members = json.members else { throw FieldError(path, "must be an object, not \(json.kind)") }
    return NamedValues(
      try members.map { member throws(FieldError) in
        (member.name, try Value.read(member.value, at: ObjectReader.pointer(to: member.name, in: path)))
      })
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
