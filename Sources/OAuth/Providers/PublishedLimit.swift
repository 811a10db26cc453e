import Jansson

/// Limits requests to places that a server published: they may lead no further inside than that server is. Hosts that the configuration, the request
/// or the preset names have no limit.
package struct PublishedLimit: Sendable, Equatable {
  /// The server's own scope when it was asked.
  package var scope: NetworkScope
  /// The hosts that the description itself names, or `*.` before their common end.
  package var namedHosts: [String]

  package init(scope: NetworkScope, namedHosts: [String]) {
    self.scope = scope
    self.namedHosts = namedHosts
  }

  /// `written` is what the description itself says.
  init?(_ publication: Publication, beside written: [JSON.Member]) {
    guard let scope = publication.scope else { return nil }
    self.init(scope: scope, namedHosts: Self.hosts(in: .object(written)))
  }

  /// Adds hosts that are not there yet.
  mutating func name(_ hosts: [String]) {
    for host in hosts where !namedHosts.contains(host) { namedHosts.append(host) }
  }

  /// The hosts of every URL in there, and those that stand by themselves in `apiHosts` and `endpointHosts`; each once.
  static func hosts(in description: JSON) -> [String] {
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
  /// Whether the configuration, the request or the preset names the host, rather than a server that published it.
  func names(_ url: URLParts) -> Bool {
    (publishedLimit?.namedHosts ?? PublishedLimit.hosts(in: source)).contains { name in
      name == url.host || (name.hasPrefix("*.") && url.host.hasSuffix(name.dropFirst()))
    }
  }

  /// How far inside a request to one of the provider's places may lead.
  func scopeLimit(of place: String) -> NetworkScope {
    guard let publishedLimit, publishedLimit.scope < .thisMachine else { return .thisMachine }
    if let url = try? URLParts(place), names(url) { return .thisMachine }
    return publishedLimit.scope
  }
}

extension Grant {
  /// The grant with hosts that the configuration or the request has come to name since; nil where there are none. Naming a host, as an error asks for,
  /// would otherwise help only after the next sign-in.
  func naming(hostsOf provider: Provider) -> Grant? {
    var better = self
    // A description that publishes nothing names all of its hosts itself.
    better.publishedLimit?.name(provider.publishedLimit?.namedHosts ?? PublishedLimit.hosts(in: provider.source))
    guard better.publishedLimit != publishedLimit else { return nil }
    better.generation += 1
    return better
  }
}

extension HTTPClient {
  /// Sends a request to one of the provider's places. A published place is limited to the scope of the server that published it.
  func send(_ request: HTTPRequest, to provider: Provider) async throws(HTTPFailure) -> HTTPResponse {
    var request = request
    request.scopeLimit = min(request.scopeLimit, provider.scopeLimit(of: request.url))
    return try await send(request)
  }
}
