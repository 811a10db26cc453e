import Jansson

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
    let patterns = AllowedHosts(patterns: ["apiHosts", "endpointHosts"].flatMap { description[$0]?.array ?? [] }.compactMap(\.string))
    return (patterns.hosts + urls(in: description)).distinct
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
