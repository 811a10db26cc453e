/// Reads and describes an object's members by the same declarations, so the schema always matches the reader.
///
/// With an object, `required` and `optional` read its members. Without one, they record name, type, need and description, and return placeholders.
package struct ObjectReader {
  /// One declared member.
  package struct Declaration: Sendable {
    package var name: String
    package var isRequired: Bool
    package var schema: JSON
    package var documentation: String
  }

  private enum Source {
    case members([JSON.Member])
    case positions([JSON])
    case description
  }

  private let source: Source
  package let path: String
  /// The indexes of the members that were read.
  private var read: [Int] = []
  package private(set) var declarations: [Declaration] = []

  package init(_ members: [JSON.Member], path: String = "") { (source, self.path) = (.members(members), path) }

  /// Reads by-position params, in the declared order (JSON-RPC 2.0 §4.2).
  package init(positions: [JSON]) { (source, path) = (.positions(positions), "") }

  /// Describes all members and reads none.
  package init(describing: Void) { (source, path) = (.description, "") }

  /// Whether placeholders are returned. Checks of required members must then be skipped. A default passes its checks.
  package var isDescribing: Bool { if case .description = source { true } else { false } }

  package mutating func required<Value: FieldValue>(_ name: String, _ documentation: String) throws(FieldError) -> Value {
    // The value is never an optional, whose type would be looked up for each member.
    if let found = find(name, documentation, isRequired: true, acceptsNull: Value.acceptsNull, schema: Value.reference) {
      return try Value.read(found.json, at: found.path)
    }
    if isDescribing { return try Value.placeholder }
    // Names the member even for params by position, because an absent position has no number.
    throw .missing(Self.pointer(to: name, in: path))
  }

  package mutating func optional<Value: FieldValue>(_ name: String, _ documentation: String) throws(FieldError) -> Value? {
    let found = find(name, documentation, isRequired: false, acceptsNull: Value.acceptsNull, schema: Value.reference)
    guard let found else { return nil }
    return try Value.read(found.json, at: found.path)
  }

  /// Reads a member whose schema and reader depend on the object.
  package mutating func optional<Value>(
    _ name: String, _ documentation: String, schema: @autoclosure () -> JSON, default value: JSON? = nil,
    _ read: (JSON, _ path: String) throws(FieldError) -> Value
  ) throws(FieldError) -> Value? {
    let found = find(name, documentation, isRequired: false, acceptsNull: false, schema: schema(), default: value)
    guard let found else { return nil }
    return try read(found.json, found.path)
  }

  /// Reads a member that has a default. The schema names the default, so the documentation does not repeat it.
  package mutating func optional<Value: FieldValue>(
    _ name: String, default value: @autoclosure () -> Value, _ documentation: String
  ) throws(FieldError) -> Value {
    let found = find(name, documentation, isRequired: false, acceptsNull: Value.acceptsNull, schema: Value.reference, default: value().data)
    guard let found else { return value() }
    return try Value.read(found.json, at: found.path)
  }

  /// Reads an integer that must be in `range`.
  package mutating func optional(_ name: String, in range: ClosedRange<Int>, _ documentation: String) throws(FieldError) -> Int? {
    try integer(name, range, default: nil, documentation)
  }

  package mutating func optional(
    _ name: String, in range: ClosedRange<Int>, default value: Int, _ documentation: String
  ) throws(FieldError) -> Int {
    try integer(name, range, default: value, documentation) ?? value
  }

  private mutating func integer(
    _ name: String, _ range: ClosedRange<Int>, default usual: Int?, _ documentation: String
  ) throws(FieldError) -> Int? {
    try optional(
      name, documentation, schema: ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)],
      default: usual.map(JSON.integer)
    ) { json, path throws(FieldError) in
      let value = try Int.read(json, at: path)
      guard range.contains(value) else { throw FieldError(path, "must be from \(range.lowerBound) to \(range.upperBound)") }
      return value
    }
  }

  /// Returns the value of the one member that is present, for an object that needs exactly one of these.
  package func one<Value>(of choices: [(name: String, value: Value?)]) throws(FieldError) -> Value {
    let there = choices.filter { $0.value != nil }
    if there.count == 1, let value = there[0].value { return value }
    let names = Self.list(choices.map(\.name))
    guard !there.isEmpty else { throw .missing(path, oneOf: names) }
    throw FieldError(path, "has \(Self.list(there.map(\.name))), but takes exactly one of \(names)")
  }

  private static func list(_ names: [String]) -> String { "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")" }

  /// Whether the object may have undeclared members. Call this after reading all declared ones.
  package var mayHaveUnknownMembers: Bool {
    switch source {
    case .members(let members): read.count < members.count
    case .positions(let values): values.count > declarations.count
    case .description: false
    }
  }

  /// Rejects members that are not in `known`, and values after the last position.
  package func rejectUnknownMembers(among known: [String]) throws(FieldError) {
    switch source {
    case .members(let members):
      guard let unknown = members.first(where: { !known.contains($0.name) }) else { return }
      let free = known.filter { name in !members.contains { $0.name == name } }
      throw FieldError(pointer(unknown.name), "is unknown\(Suggestion.question(unknown.name, among: free))")
    case .positions(let values):
      if values.count > known.count { throw FieldError("/\(known.count)", "is one param too many: there are only \(known.count)") }
    case .description: break
    }
  }

  /// Whether members are read by name.
  fileprivate var hasMembers: Bool { if case .members = source { true } else { false } }

  /// Returns the JSON pointer of a member, for checks after reading.
  package func pointer(_ name: String) -> String {
    if case .positions = source, let index = declarations.firstIndex(where: { $0.name == name }) { return "/\(index)" }
    return Self.pointer(to: name, in: path)
  }

  /// In bytes. A longer name is cut, because a name of megabytes would cause a message of megabytes.
  private static let nameLimit = 100

  /// Returns the JSON pointer of a member of the object at `path` (RFC 6901 §3). A long name is cut and ends with `…`.
  package static func pointer(to name: String, in path: String) -> String {
    guard name.utf8.count <= nameLimit else { return pointer(to: name.prefix(ofBytes: nameLimit - 3) + "…", in: path) }
    var pointer = path + "/"
    // Our own names need no escaping, and this runs for every member that is read.
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return pointer + name }
    // By scalars, because a slash with a combining mark is a single character but must be escaped too.
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      default: pointer.unicodeScalars.append(scalar)
      }
    }
    return pointer
  }

  /// Returns a member's value and its pointer, or nil if it is absent or this object describes.
  private mutating func find(
    _ name: String, _ documentation: String, isRequired: Bool, acceptsNull: Bool, schema: @autoclosure () -> JSON,
    default value: @autoclosure () -> JSON? = nil
  ) -> (json: JSON, path: String)? {
    switch source {
    case .description:
      let found = isRequired ? schema() : schema().orNull.with(default: value())
      declarations.append(Declaration(name: name, isRequired: isRequired, schema: found, documentation: documentation))
      return nil
    case .members(let members):
      guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
      if !read.contains(index) { read.append(index) }
      if case .null = members[index].value, !acceptsNull { return nil }
      return (members[index].value, pointer(name))
    case .positions(let values):
      let index = declarations.count
      declarations.append(Declaration(name: name, isRequired: isRequired, schema: .null, documentation: ""))
      guard index < values.count, values[index] != .null || acceptsNull else { return nil }
      return (values[index], "/\(index)")
    }
  }
}

extension FieldReadable {
  /// Reads `json`, which must be an object without unknown members.
  package static func decode(_ json: JSON, at path: String = "") throws(FieldError) -> Self {
    let members: [JSON.Member]
    switch json {
    case .object(let found): members = found
    // Lua and PHP write an empty object as an empty array.
    case .array(let elements) where elements.isEmpty: members = []
    default: throw FieldError(path, "must be an object, not \(json.kind)")
    }
    var fields = ObjectReader(members, path: path)
    return try read(&fields, rejectingUnknownMembers: true)
  }

  /// Reads all fields. If one is missing and another is unknown, reports the unknown one, because it probably misspells the missing one.
  package static func read(_ fields: inout ObjectReader, rejectingUnknownMembers: Bool) throws(FieldError) -> Self {
    do {
      let value = try Self(&fields)
      if rejectingUnknownMembers, fields.mayHaveUnknownMembers { try fields.rejectUnknownMembers(among: try declarations.map(\.name)) }
      return value
    } catch {
      guard rejectingUnknownMembers, error.isMissing, fields.hasMembers, let known = try? declarations else { throw error }
      try fields.rejectUnknownMembers(among: known.map(\.name))
      throw error
    }
  }

  /// All declared members. Describing never throws, because all required fields are read before any check, and a default passes its checks.
  package static var declarations: [ObjectReader.Declaration] {
    get throws(FieldError) {
      var fields = ObjectReader(describing: ())
      _ = try Self(&fields)
      return fields.declarations
    }
  }
}

/// A word from a fixed list.
package protocol StringEnum: FieldValue, RawRepresentable, CaseIterable where RawValue == String {
  /// The word's meaning for the schema; empty if the word says enough.
  var documentation: String { get }
}

/// A nested object, read and described by its own declarations.
package protocol FieldObject: FieldValue, FieldReadable {}

/// A type that reads and describes itself by declaring its members.
package protocol FieldReadable: Sendable {
  init(_ fields: inout ObjectReader) throws(FieldError)
}
