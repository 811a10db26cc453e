/// Where an account's token may go, and nowhere else.
package struct AllowedHosts: Sendable {
  private struct Entry: Equatable {
    var host: String
    var port: Int?
    var includesSubdomains = false
  }

  private var entries: [Entry] = []

  /// The provider's API hosts where it names any, else the hosts of its API base and of its endpoints.
  package init(_ provider: Provider) {
    for host in provider.apiHosts ?? [] {
      let pattern = host.lowercased()
      let isWild = pattern.hasPrefix("*.")
      guard let url = try? URLParts("https://" + (isWild ? String(pattern.dropFirst(2)) : pattern)) else { continue }
      entries.append(Entry(host: url.host, port: url.explicitPort, includesSubdomains: isWild))
    }
    guard provider.apiHosts == nil else { return }
    let endpoints = [
      provider.apiBase, provider.authorizationEndpoint, provider.tokenEndpoint, provider.revocationEndpoint,
      provider.introspectionEndpoint, provider.userInfoEndpoint,
    ]
    for endpoint in endpoints {
      guard let endpoint, let url = try? URLParts(endpoint) else { continue }
      entries.append(Entry(host: url.host, port: url.port))
    }
  }

  /// A host without a port means the usual one; on this machine it means any, because there ports are all that tells services apart
  /// and whoever names such a host names his own.
  package func allows(_ url: URLParts) -> Bool {
    entries.contains { entry in
      let isHost = entry.includesSubdomains ? url.host.hasSuffix("." + entry.host) : url.host == entry.host
      guard isHost else { return false }
      if let port = entry.port { return url.port == port }
      return url.port == 443 || url.isLoopback
    }
  }

  /// Whether anything may travel there at all: https, or http on this machine.
  static func isSafe(_ url: URLParts) -> Bool {
    url.scheme == "https" || (url.scheme == "http" && url.isLoopback)
  }
}
