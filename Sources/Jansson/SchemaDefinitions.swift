/// The named schemas of one document. The document contains each of them once, and other schemas refer to it.
package struct SchemaDefinitions {
  /// Two types with one name and different schemas.
  package struct Conflict: Error {
    package var name: String
  }

  /// The member that describes an enum's words in the schemas of this module. Visual Studio Code shows these texts.
  package static let enumDescriptions = "enumDescriptions"
  /// The member of a reference that contains the whole schema until it is moved.
  static let definition = "$definition"

  private let place: String
  private let enumDescriptions: String
  private var schemas: [String: JSON] = [:]

  /// Places the schemas at a JSON pointer such as `#/definitions/`. `enumDescriptions` is the document's name for the texts of an enum's words.
  package init(at place: String, enumDescriptions: String = Self.enumDescriptions) {
    (self.place, self.enumDescriptions) = (place, enumDescriptions)
  }

  /// Returns the schema that a reference stands for, or the schema itself.
  package static func whole(_ schema: JSON) -> JSON { schema[definition] ?? schema }

  /// All schemas that `moving` has found, by name.
  package var members: [JSON.Member] { schemas.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) } }

  /// Returns the schema with a reference in the place of each named schema in it.
  package mutating func moving(_ schema: JSON) throws(Conflict) -> JSON {
    switch schema {
    case .array(let elements): return .array(try elements.map { element throws(Conflict) in try moving(element) })
    case .object(let members):
      let moved = try members.filter { $0.name != Self.definition }.map { member throws(Conflict) in
        try self.member(member, isReference: schema.isReference)
      }
      if let name = schema["$ref"]?.string, let definition = schema[Self.definition] {
        let whole = try moving(definition)
        guard schemas.updateValue(whole, forKey: name) ?? whole == whole else { throw Conflict(name: name) }
      }
      return .object(moved)
    default: return schema
    }
  }

  private mutating func member(_ member: JSON.Member, isReference: Bool) throws(Conflict) -> JSON.Member {
    switch (member.name, member.value) {
    case ("$ref", .string(let name)) where isReference: .init("$ref", .string(place + name))
    case (Self.enumDescriptions, .array): .init(enumDescriptions, member.value)
    case ("default", _): member
    default: .init(member.name, try moving(member.value))
    }
  }
}
