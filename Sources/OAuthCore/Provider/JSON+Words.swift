import Jansson

/// Reading single values in a service's JSON.
extension JSON {
  /// A string, an integer or a boolean as text; nil for anything else.
  package var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let value): String(value)
    // If the document has a number beyond 64 bits, all its integers are read as doubles.
    case .real(let value) where value == value.rounded() && value.magnitude <= 9_007_199_254_740_991: String(Int(value))
    case .bool(let value): value ? "true" : "false"
    default: nil
    }
  }

  /// A text that may be stored with an account and shown: at most 2 KiB, without control characters.
  package var attributeText: String? {
    // 2 KiB: a longer text is not a name, number or address.
    scalarText.flatMap { $0.utf8.count <= 2048 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? $0 : nil }
  }

  /// Returns the member of this name, or else the only one whose name differs in case and separators: servers write `accessToken` for `access_token`.
  package func member(spelled name: String) -> JSON? {
    func letters(_ text: String) -> String { text.lowercased().filter { !"_-.".contains($0) } }
    if let value = self[name] { return value }
    let found = members?.filter { letters($0.name) == letters(name) } ?? []
    return found.count == 1 ? found[0].value : nil
  }

  /// The value without members that are null or an empty string, at any depth: servers write a missing member in either way.
  /// A member of the name `exempt` stays.
  package func withoutEmptyMembers(except exempt: String? = nil) -> JSON {
    switch self {
    case .object(let members):
      .object(
        members.filter { $0.name == exempt || ($0.value != .null && $0.value != "") }
          .map { Member($0.name, $0.value.withoutEmptyMembers(except: exempt)) })
    case .array(let elements): .array(elements.map { $0.withoutEmptyMembers(except: exempt) })
    default: self
    }
  }

  /// An error code as text; nil for 0, false, an empty string and null.
  var errorCode: String? {
    guard let text = scalarText, !text.isEmpty, text != "0", text != "false" else { return nil }
    return text
  }

  /// Whether the value means success: a boolean, or a string of which only `ok`, `success` and `true` do. nil for other types.
  package var saysSuccess: Bool? {
    switch self {
    case .bool(let value): value
    case .string(let word): ["ok", "success", "true"].contains(word.lowercased())
    default: nil
    }
  }
}

extension JSON {
  /// Reads scopes from a list separated by spaces or commas, or from an array. Ignores invalid scopes (RFC 6749, 3.3).
  package var scopes: [String]? {
    let found: [String]
    switch self {
    case .string(let text): found = text.split { $0 == " " || $0 == "," || $0 == "\n" || $0 == "\t" }.map(String.init)
    case .array(let values): found = values.compactMap(\.string)
    default: return nil
    }
    return found.filter { scope in !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C } }
  }
}

/// Checks shared by several parts of a provider's description. The errors name the member's path.
extension ObjectReader {
  /// Reads an endpoint and checks it.
  package mutating func endpoint(_ member: String, isPage: Bool = false, _ documentation: String) throws(FieldError) -> String? {
    let value: String? = try optional(member, documentation)
    try check(endpoint: value, member, isPage: isPage)
    return value
  }

  /// Rejects a scope with a blank. The provider would grant it as several (RFC 6749, 3.3), and it would always seem to be missing.
  package func check(scopes: [String]?) throws(FieldError) {
    for (index, scope) in (scopes ?? []).enumerated() where scope.isEmpty || scope.utf8.contains(where: { $0 <= 0x20 }) {
      throw FieldError("\(pointer("scopes"))/\(index)", "must be one scope without blanks", ": write each scope as an element of its own")
    }
  }

  /// Checks an endpoint. Replaces each {name} by `localhost`, the host with the fewest restrictions, so that the rest is already checked.
  package func check(endpoint value: String?, _ member: String, isPage: Bool = false) throws(FieldError) {
    guard let value, let problem = Provider.problem(ofEndpoint: Template(value).sampleURL, isPage: isPage) else { return }
    throw FieldError(pointer(member), problem)
  }

  package func check(hosts: [String], _ member: String) throws(FieldError) {
    for (index, host) in hosts.enumerated() where !AllowedHosts.isPattern(Template(host).sample) {
      throw FieldError(pointer(member) + "/\(index)", "must be a host, optionally with *. before it or a port after it")
    }
  }

  /// Checks names and values. A line end in a value would begin another header (RFC 9112, 11.1).
  package func check(headers: NamedValues<String>, _ member: String) throws(FieldError) {
    for (name, value) in headers.pairs {
      guard HTTPRequest.isToken(name), !["host", "content-length", "transfer-encoding", "connection"].contains(name.lowercased()) else {
        throw FieldError(pointer(member), "has an invalid header name, or a header that the process sets itself")
      }
      guard !value.utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 }) else {
        throw FieldError(ObjectReader.pointer(to: name, in: pointer(member)), "must not contain line ends or NUL")
      }
    }
  }
}
