import CPresets
import Jansson
import Platform

/// The values that a description's `variables` give to the {names} in its other members.
package struct PresetVariables {
  /// Members with texts for the user, with the values themselves, or with names of their own.
  private static let untouched: Set<String> = [
    "variables", "variablesByHost", "reasons", "unconfirmed", "sources", "name", "preset", "otherTokens",
  ]
  private static let urls: Set<String> = ["apiBase", "issuer", "jwksUri"]
  private static let hosts: Set<String> = ["apiHosts", "endpointHosts", "gitHosts", "registryHosts"]
  /// Names that only the client or the grant fills in.
  private static let reserved: Set<String> = ["clientId", "tenantid", "accessToken", "subject", "email"]

  private let members: [JSON.Member]
  private let given: [JSON.Member]
  private let values: [(name: String, value: String)]

  /// Leaves out names that the redirect or the tokens fill in later. For these, `variables` has only the fallback.
  package init(_ members: [JSON.Member]) {
    self.members = members
    let object = JSON.object(members)
    given = object["variables"]?.members ?? []
    let late = object.lateNames
    var values = given.compactMap { member in
      late.contains(member.name) ? nil : member.value.string.map { (member.name, Self.withoutDomain($0, member.name, members)) }
    }
    let host = values.first { $0.0 == "host" }?.1.prefix { $0 != "/" }.lowercased() ?? ""
    for member in object["variablesByHost"]?.members?.first(where: { Self.matches($0.name, host) })?.value.members ?? [] {
      guard let text = member.value.string, !values.contains(where: { $0.0 == member.name }) else { continue }
      values.append((member.name, Template(text).filled { name in values.first { $0.0 == name }?.1 }))
    }
    self.values = values
  }

  /// Whether a key of `variablesByHost` means the host: the host itself, `*.` before a domain, or `*` for any.
  private static func matches(_ pattern: String, _ host: String) -> Bool {
    pattern == "*" || pattern == host || (pattern.hasPrefix("*.") && host.hasSuffix(pattern.dropFirst()))
  }

  /// Returns the value without the domain that the description adds: people copy `shop.myshopify.com` where a shop's name is wanted.
  private static func withoutDomain(_ value: String, _ name: String, _ members: [JSON.Member]) -> String {
    for case .string(let text) in members.map(\.value) {
      guard let end = text.firstRange(of: "://{\(name)}.")?.upperBound else { continue }
      let domain = "." + text[end...].prefix { $0 != "/" && $0 != "{" }
      if value.count > domain.count, value.lowercased().hasSuffix(domain) { return String(value.dropLast(domain.count)) }
    }
    return value
  }

  /// The members with their names replaced by values.
  package var filled: [JSON.Member] {
    guard !values.isEmpty else { return members }
    return members.map { member in
      if Self.untouched.contains(member.name) { return member }
      // A list of hosts gets the host of a server that runs below a path.
      let isHost = Self.hosts.contains(member.name)
      return JSON.Member(member.name, filled(member.value) { isHost ? String($0.prefix { $0 != "/" }) : $0 })
    }
  }

  private func filled(_ json: JSON, _ fitting: (String) -> String) -> JSON {
    switch json {
    case .string(let text) where text.utf8.contains(UInt8(ascii: "{")):
      .string(Template(text).filled { name in values.first { $0.name == name }.map { fitting($0.value) } })
    case .array(let elements): .array(elements.map { filled($0, fitting) })
    case .object(let members): .object(members.map { JSON.Member($0.name, filled($0.value, fitting)) })
    default: json
    }
  }

  /// An error in a value.
  package struct Fault: Error {
    package var name: String
    package var problem: String
    /// The valid names, if this one is unknown.
    package var known: [String]?
  }

  /// Rejects a value for an unused name, unless `own`, the preset's names, contains it. Also rejects a value that does not fit where it is used.
  package func check(own: [String]) throws(Fault) {
    guard !given.isEmpty else { return }
    let places = members.filter { !Self.untouched.contains($0.name) }.flatMap { Self.places(in: $0.value, $0.name) }
    for (name, value) in given.map({ ($0.name, $0.value.string ?? "") }) {
      let found = places.filter { $0.name == name }.map(\.place)
      guard own.contains(name) || (!found.isEmpty && !Self.reserved.contains(name)) else {
        let known = Set(places.map(\.name) + own).subtracting(Self.reserved).filter(Self.isName).sorted()
        let names = known.isEmpty ? "the provider takes no variables" : "the provider's variables are \(known.joined(separator: ", "))"
        throw Fault(name: name, problem: "is unknown: \(names)", known: known)
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
    // The inner members' names are the service's own.
    case .object(let members): return members.flatMap { places(in: $0.value, "") }
    default: return []
    }
  }

  /// Returns whether the text is a name. A parameter may contain JSON, whose braces are not followed by a name.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_".utf8.contains($0) }
  }
}

extension JSON {
  /// The {names} whose values come from the redirect, the token response or the request after the sign-in.
  package var lateNames: [String] {
    let paths = (self["callbackMembers"]?.array ?? []) + (self["tokenMembers"]?.array ?? [])
    return paths.compactMap { $0.string?.split(separator: ".").last.map(String.init) }
      + (self["afterSignIn"]?["variables"]?.members ?? []).map(\.name)
  }
}

/// A built-in preset: a JSON file of its name in the folder `Presets`. A test compares the list in CPresets with the files.
package struct Preset: Sendable {
  package let name: String
  private let index: Int

  /// The preset's JSON text. It is copied at each use, which keeps the start fast.
  package var text: [UInt8] {
    let text = cpresets_all()[index].text!
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  package static func named(_ name: String) -> Preset? { all.first { $0.name == name } }

  /// All presets, sorted by name.
  package static let all = (0..<Int(cpresets_count())).map { Preset(name: String(cString: cpresets_all()[$0].name), index: $0) }
}
