import Jansson

/// The values that a description's `variables` give to {names} in its other members.
struct PresetVariables {
  /// Members whose texts are for people, or are the values themselves.
  private static let untouched: Set<String> = ["variables", "reasons", "unconfirmed", "name", "preset"]
  private static let urls: Set<String> = ["apiBase", "issuer", "jwksUri", "openidIdentifier", "openidRealm"]
  private static let hosts: Set<String> = ["apiHosts", "endpointHosts"]
  /// What only the client or the grant says.
  private static let reserved: Set<String> = ["clientId", "tenantid", "accessToken", "subject", "email"]

  private let members: [JSON.Member]
  private let given: [JSON.Member]
  private let values: [(name: String, value: String)]

  /// Names that the redirect or the tokens bring are left for later, when a value of `variables` is only what is taken where they bring none.
  init(_ members: [JSON.Member]) {
    self.members = members
    let object = JSON.object(members)
    given = object["variables"]?.members ?? []
    let late = object.lateNames
    values = given.compactMap { member in
      late.contains(member.name) ? nil : member.value.string.map { (member.name, $0) }
    }
  }

  /// The members with the values in the place of their names.
  var filled: [JSON.Member] {
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

  /// What is wrong with a value.
  struct Fault: Error {
    var name: String
    var problem: String
    /// Names that there are, where this is none.
    var known: [String]?
  }

  /// Refuses a value for a name that stands nowhere, unless it is one of `own`, the preset's; and a value that does not fit where its name stands.
  func check(own: [String]) throws(Fault) {
    guard !given.isEmpty else { return }
    let places = members.filter { !Self.untouched.contains($0.name) }.flatMap { Self.places(in: $0.value, $0.name) }
    for (name, value) in given.map({ ($0.name, $0.value.string ?? "") }) {
      let found = places.filter { $0.name == name }.map(\.place)
      guard own.contains(name) || (!found.isEmpty && !Self.reserved.contains(name)) else {
        let known = Set(places.map(\.name) + own).subtracting(Self.reserved).filter(Self.isName).sorted()
        let names = known.isEmpty ? "the description has no {names}" : "there are \(known.joined(separator: ", "))"
        throw Fault(name: name, problem: "is not known; \(names)", known: known)
      }
      if let problem = found.lazy.compactMap({ $0.problem(of: value) }).first { throw Fault(name: name, problem: problem) }
    }
  }

  private static func places(in json: JSON, _ member: String) -> [(name: String, place: Template.Place)] {
    switch json {
    case .string(let text) where text.utf8.contains(UInt8(ascii: "{")):
      let isURL = urls.contains(member) || member.hasSuffix("Endpoint") || text.contains("://")
      return Template(text).places(in: isURL ? .url : hosts.contains(member) ? .host : .other)
    case .array(let elements): return elements.flatMap { places(in: $0, member) }
    // The names of members inside are the service's own.
    case .object(let members): return members.flatMap { places(in: $0.value, "") }
    default: return []
    }
  }

  /// Braces in a parameter may be those of JSON, behind which no name follows at once.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_".utf8.contains($0) }
  }
}

extension JSON {
  /// The {names} of a description whose values come with the redirect, with the tokens or from the request after the sign-in.
  var lateNames: [String] {
    let paths = (self["callbackMembers"]?.array ?? []) + (self["tokenMembers"]?.array ?? [])
    return paths.compactMap { $0.string?.split(separator: ".").last.map(String.init) }
      + (self["afterSignIn"]?["variables"]?.members ?? []).map(\.name)
  }
}
