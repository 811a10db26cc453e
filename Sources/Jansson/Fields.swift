/// What is wrong with one place of an object that came from outside, named by its JSON pointer (RFC 6901).
package struct FieldError: Error, Sendable, Equatable {
  package var path: String
  /// What is wrong there, as the end of a sentence that begins with the path; never quotes the value, which may be a secret.
  package var problem: String

  package init(_ path: String, _ problem: String) {
    self.path = path
    self.problem = problem
  }

  package static func missing(_ path: String) -> FieldError { FieldError(path, "is missing") }

  /// None of several members is there, of which one has to be.
  static func missing(_ path: String, oneOf names: String) -> FieldError { FieldError(path, oneIsMissing + names) }

  private static let oneIsMissing = "has to have exactly one of "

  package var isMissing: Bool { self == .missing(path) || problem.hasPrefix(Self.oneIsMissing) }

  /// The whole sentence, such as `/account is missing`.
  package var message: String { "\(path.isEmpty ? "the object" : path) \(problem)" }
}

/// The members of one object, read and described by the same declarations, so that a schema is what the reader reads and cannot drift.
///
/// With an object behind it, `required` and `optional` read. With none they note name, type, need and doc line and answer placeholders.
package struct Fields {
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
  private let path: String
  /// The members that were asked for, a bit for each of the first 64, which costs no memory; the names of those behind.
  private var read: UInt64 = 0
  private var readBehind: [String] = []
  package private(set) var declarations: [Declaration] = []

  package init(_ members: [JSON.Member], path: String = "") {
    source = .members(members)
    self.path = path
  }

  /// By-position params, mapped onto the declared order (JSON-RPC 2.0, 4.2).
  package init(positions: [JSON]) {
    source = .positions(positions)
    path = ""
  }

  /// Reads nothing and describes everything.
  package init(describing: Void) {
    source = .description
    path = ""
  }

  /// Whether placeholders are handed out, so that checks which look at values can be left out.
  package var isDescribing: Bool {
    if case .description = source { true } else { false }
  }

  package mutating func required<Value: FieldValue>(_ name: String, _ documentation: String) throws(FieldError) -> Value {
    // Not by way of an optional, whose type would be looked up with every member.
    if let found = find(name, documentation, isRequired: true, acceptsNull: Value.acceptsNull, schema: Value.schema) {
      return try Value.read(found.json, at: found.path)
    }
    if isDescribing { return Value.placeholder }
    // By its name even by position, where nothing stands that a number could point to.
    throw .missing(Self.pointer(to: name, in: path))
  }

  package mutating func optional<Value: FieldValue>(_ name: String, _ documentation: String) throws(FieldError) -> Value? {
    guard let found = find(name, documentation, isRequired: false, acceptsNull: Value.acceptsNull, schema: Value.schema) else { return nil }
    return try Value.read(found.json, at: found.path)
  }

  /// An integer that has to lie in `range`.
  package mutating func optional(
    _ name: String, in range: ClosedRange<Int>, _ documentation: String
  ) throws(FieldError) -> Int? {
    let schema: JSON = [
      "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
    ]
    guard let found = find(name, documentation, isRequired: false, acceptsNull: false, schema: schema) else { return nil }
    let value = try Int.read(found.json, at: found.path)
    guard range.contains(value) else { throw FieldError(pointer(name), "has to be from \(range.lowerBound) to \(range.upperBound)") }
    return value
  }

  /// The value of the one member that is there, for an object that takes exactly one of these.
  package func one<Value>(of choices: [(name: String, value: Value?)]) throws(FieldError) -> Value {
    let there = choices.filter { $0.value != nil }
    if there.count == 1, let value = there[0].value { return value }
    let names = Self.list(choices.map(\.name))
    guard !there.isEmpty else { throw .missing(path, oneOf: names) }
    throw FieldError(path, "has \(Self.list(there.map(\.name))) together and takes exactly one of \(names)")
  }

  private static func list(_ names: [String]) -> String { "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")" }

  /// Whether there may be members that no declaration asked for; to be called when everything has been read.
  package var mayHaveStrays: Bool {
    switch source {
    case .members(let members): members.count > 64 || read != (members.count == 64 ? .max : 1 << UInt64(members.count) - 1)
    case .positions(let values): values.count > declarations.count
    case .description: false
    }
  }

  /// Rejects a member that is none of these, and values behind the last position.
  package func refuseStrays(among known: [String]) throws(FieldError) {
    switch source {
    case .members(let members):
      guard let stray = members.first(where: { !known.contains($0.name) }) else { return }
      let free = known.filter { name in !members.contains { $0.name == name } }
      throw FieldError(pointer(stray.name), "is not known here\(Suggestion.question(stray.name, among: free))")
    case .positions(let values):
      if values.count > known.count { throw FieldError("/\(known.count)", "is one parameter more than there are") }
    case .description: break
    }
  }

  /// Whether members are read by name.
  fileprivate var hasMembers: Bool {
    if case .members = source { true } else { false }
  }

  /// The JSON pointer of a member, for checks that are made after reading.
  package func pointer(_ name: String) -> String {
    if case .positions = source, let index = declarations.firstIndex(where: { $0.name == name }) { return "/\(index)" }
    return Self.pointer(to: name, in: path)
  }

  /// Bytes of a name that a pointer shows whole: a name of megabytes would otherwise come back as a message of megabytes.
  private static let nameLimit = 100

  /// The JSON pointer of a member of the object at `path` (RFC 6901, 3); a long name is cut and ends with `…`.
  package static func pointer(to name: String, in path: String) -> String {
    guard name.utf8.count <= nameLimit else { return pointer(to: name.prefix(ofBytes: nameLimit - 3) + "…", in: path) }
    var pointer = path + "/"
    // Names of ours have nothing to escape, and this is asked for with every member that is read.
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return pointer + name }
    // By scalars: a slash with a combining mark behind it is one character and still a slash.
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      default: pointer.unicodeScalars.append(scalar)
      }
    }
    return pointer
  }

  /// The value of a member and its pointer; nil where it is absent and while describing.
  private mutating func find(
    _ name: String, _ documentation: String, isRequired: Bool, acceptsNull: Bool, schema: @autoclosure () -> JSON
  ) -> (json: JSON, path: String)? {
    switch source {
    case .description:
      let found = isRequired ? schema() : schema().orNull
      declarations.append(Declaration(name: name, isRequired: isRequired, schema: found, documentation: documentation))
      return nil
    case .members(let members):
      guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
      if index < 64 { read |= 1 << UInt64(index) } else { readBehind.append(name) }
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

/// A type that reads itself from an object's members by declarations, and can therefore be described.
package protocol FieldReadable: Sendable {
  init(_ fields: inout Fields) throws(FieldError)
}

extension FieldReadable {
  /// Reads `json`, which has to be an object without unknown members.
  package static func decode(_ json: JSON, at path: String = "") throws(FieldError) -> Self {
    let members: [JSON.Member]
    switch json {
    case .object(let found): members = found
    // Lua and PHP write an empty object as an empty array.
    case .array(let elements) where elements.isEmpty: members = []
    default: throw FieldError(path, "has to be an object, not \(json.kind)")
    }
    var fields = Fields(members, path: path)
    return try read(&fields, refusingStrays: true)
  }

  /// Reads all fields. Where one is missing and another is not known, the unknown one is named, because it is most likely the missing one misspelt.
  package static func read(_ fields: inout Fields, refusingStrays: Bool) throws(FieldError) -> Self {
    do {
      let value = try Self(&fields)
      if refusingStrays, fields.mayHaveStrays { try fields.refuseStrays(among: try declarations.map(\.name)) }
      return value
    } catch {
      guard refusingStrays, error.isMissing, fields.hasMembers, let known = try? declarations else { throw error }
      try fields.refuseStrays(among: known.map(\.name))
      throw error
    }
  }

  /// Every declared member. Describing never throws, because all fields are read before anything is checked; a test holds that.
  package static var declarations: [Fields.Declaration] {
    get throws(FieldError) {
      var fields = Fields(describing: ())
      _ = try Self(&fields)
      return fields.declarations
    }
  }
}
