import Jansson

/// The values that a description's `variables` give to {names} in its other members.
struct PresetVariables {
  /// Members whose texts are for people, or are the values themselves.
  private static let untouched: Set<String> = ["variables", "reasons", "unconfirmed", "name", "preset"]

  private let values: [(name: String, value: String)]

  /// Names that the redirect or the tokens bring are left for later, when a value of `variables` is only what is taken where they bring none.
  init(_ members: [JSON.Member]) {
    let object = JSON.object(members)
    let late = object.lateNames
    values = (object["variables"]?.members ?? []).compactMap { member in
      late.contains(member.name) ? nil : member.value.string.map { (member.name, $0) }
    }
  }

  func filled(_ members: [JSON.Member]) -> [JSON.Member] {
    guard !values.isEmpty else { return members }
    return members.map { Self.untouched.contains($0.name) ? $0 : JSON.Member($0.name, filled($0.value)) }
  }

  private func filled(_ json: JSON) -> JSON {
    switch json {
    case .string(let text) where text.utf8.contains(UInt8(ascii: "{")):
      .string(Template(text).filled { name in values.first { $0.name == name }?.value })
    case .array(let elements): .array(elements.map(filled))
    case .object(let members): .object(members.map { JSON.Member($0.name, filled($0.value)) })
    default: json
    }
  }
}

extension JSON {
  /// The {names} of a description whose values come with the redirect or with the tokens.
  var lateNames: [String] {
    let paths = (self["callbackMembers"]?.array ?? []) + (self["tokenMembers"]?.array ?? [])
    return paths.compactMap { $0.string?.split(separator: ".").last.map(String.init) }
  }
}
