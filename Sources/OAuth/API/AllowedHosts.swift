/// Where an account's token may go, and nowhere else.
package struct AllowedHosts: Sendable {
  private struct Entry: Equatable {
    var host: String
    var port: Int?
    var includesSubdomains = false
  }

  private var entries: [Entry] = []

  /// The provider's API hosts where it names any, else the hosts of its API base and of its endpoints.
  ///
  /// `endpoint` is one of the description's own that is asked with the token, whatever `apiHosts` says of the API.
  package init(_ provider: Provider, and endpoint: String? = nil) {
    entries = (provider.api.apiHosts ?? []).compactMap(Self.entry)
    if let endpoint, let url = try? URLParts(endpoint) { entries.append(Entry(host: url.host, port: url.port)) }
    guard provider.api.apiHosts == nil else { return }
    let endpoints = [
      provider.api.apiBase, provider.authorizationEndpoint, provider.tokenEndpoint, provider.revocation.revocationEndpoint,
      provider.introspectionEndpoint, provider.userInfoEndpoint, provider.oauth1.requestTokenEndpoint, provider.oauth1.accessTokenEndpoint,
    ]
    for endpoint in endpoints {
      guard let endpoint, let url = try? URLParts(endpoint) else { continue }
      entries.append(Entry(host: url.host, port: url.port))
    }
  }

  /// As `apiHosts` would have them, each once.
  var names: [String] {
    var names: [String] = []
    for entry in entries {
      let port = entry.port.flatMap { $0 == 443 ? nil : ":\($0)" } ?? ""
      let name = (entry.includesSubdomains ? "*." : "") + entry.host + port
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  init(patterns: [String]) { entries = patterns.compactMap(Self.entry) }

  /// Whether `text` is a host that may stand in `apiHosts`.
  static func isPattern(_ text: String) -> Bool { entry(text) != nil }

  private static func entry(_ text: String) -> Entry? {
    let pattern = text.lowercased()
    let isWild = pattern.hasPrefix("*.")
    guard let url = try? URLParts("https://" + (isWild ? String(pattern.dropFirst(2)) : pattern)) else { return nil }
    guard url.path.isEmpty, url.query == nil, url.fragment == nil, url.userInfo == nil else { return nil }
    return Entry(host: url.host, port: url.explicitPort, includesSubdomains: isWild)
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
