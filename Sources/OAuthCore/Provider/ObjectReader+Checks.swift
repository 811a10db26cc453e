import Jansson

/// Checks shared by several parts of a provider's description. The errors name the member's path.
extension ObjectReader {
  /// Reads an endpoint and checks it.
  package mutating func endpoint(_ member: String, isPage: Bool = false, _ documentation: String) throws(FieldError) -> String? {
    let value: String? = try optional(member, documentation)
    try check(endpoint: value, member, isPage: isPage)
    return value
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
