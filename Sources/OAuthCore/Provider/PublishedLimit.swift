import Jansson

/// What a server published about itself at a URL: an unchanged description.
///
/// A grant stores a copy, so that it works without a discovery. That copy does not prove where a secret may be sent; only a document that this
/// process fetched does.
package struct Publication: Sendable {
  package var url: String
  package var description: [JSON.Member]
  /// The server's scope. The server must not name a URL of a narrower scope. nil if an earlier version stored the document without it.
  package var scope: NetworkScope?

  package init(url: String, description: [JSON.Member], scope: NetworkScope? = nil) {
    (self.url, self.description, self.scope) = (url, description, scope)
  }
}

/// Limits requests to published endpoints: they must not have a narrower scope than the publishing server.
/// Hosts that the configuration, the request or the preset names are not limited.
package struct PublishedLimit: Sendable, Equatable {
  /// The server's scope at the time of the discovery.
  package var scope: NetworkScope
  /// The hosts in the description itself; a wildcard is written as `*.` and the common end.
  package var namedHosts: [String]

  package init(scope: NetworkScope, namedHosts: [String]) { (self.scope, self.namedHosts) = (scope, namedHosts) }

  /// `written` is the description itself, without published members.
  package init?(_ publication: Publication, beside written: [JSON.Member]) {
    guard let scope = publication.scope else { return nil }
    self.init(scope: scope, namedHosts: Self.hosts(in: .object(written)))
  }

  /// Adds the hosts that are missing.
  package mutating func name(_ hosts: [String]) { for host in hosts where !namedHosts.contains(host) { namedHosts.append(host) } }

  /// Returns the hosts of all URLs in the description, and those in `apiHosts` and `endpointHosts`, without duplicates.
  package static func hosts(in description: JSON) -> [String] {
    let patterns = ["apiHosts", "endpointHosts"].flatMap { description[$0]?.array ?? [] }.compactMap(\.string)
    var hosts: [String] = []
    for host in patterns.compactMap(pattern) + urls(in: description) where !hosts.contains(host) { hosts.append(host) }
    return hosts
  }

  private static func pattern(_ text: String) -> String? {
    let isWild = text.hasPrefix("*.")
    guard let url = try? URLParts("https://" + (isWild ? String(text.dropFirst(2)) : text)) else { return nil }
    return (isWild ? "*." : "") + url.host
  }

  private static func urls(in json: JSON) -> [String] {
    switch json {
    case .string(let text): (try? URLParts(text)).map { $0.host.isEmpty ? [] : [$0.host] } ?? []
    case .array(let values): values.flatMap(urls)
    case .object(let members): members.flatMap { urls(in: $0.value) }
    default: []
    }
  }
}

extension Provider {
  /// Returns whether the configuration, the request or the preset names the host, not only a server's publication.
  package func names(_ url: URLParts) -> Bool {
    (publishedLimit?.namedHosts ?? PublishedLimit.hosts(in: source)).contains { name in
      name == url.host || (name.hasPrefix("*.") && url.host.hasSuffix(name.dropFirst()))
    }
  }

  /// Returns the narrowest network scope that a request to this endpoint may reach.
  package func scopeLimit(of place: String) -> NetworkScope {
    guard let publishedLimit, publishedLimit.scope < .thisMachine else { return .thisMachine }
    if let url = try? URLParts(place), names(url) { return .thisMachine }
    return publishedLimit.scope
  }
}
