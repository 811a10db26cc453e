/// The only hosts that may receive an account's token.
package struct AllowedHosts: Sendable {
  private struct Entry: Equatable {
    var host: String
    var port: Int?
    var includesSubdomains = false
  }

  private var entries: [Entry] = []

  /// Allows the provider's API hosts if it names any; otherwise the hosts of its API base and its endpoints.
  ///
  /// `endpoint` is an endpoint of the description that receives the token, whatever `apiHosts` says.
  package init(_ provider: Provider, and endpoint: String? = nil) {
    entries = (provider.api.apiHosts ?? []).compactMap(Self.entry)
    if let endpoint, let url = try? URLParts(endpoint) { entries.append(Entry(host: url.host, port: url.port)) }
    guard provider.api.apiHosts == nil else { return }
    for endpoint in [provider.api.apiBase] + Endpoint.all.filter(\.isAtAPI).map({ provider[keyPath: $0.place] }) {
      guard let endpoint, let url = try? URLParts(endpoint) else { continue }
      entries.append(Entry(host: url.host, port: url.port))
    }
  }

  /// The hosts as `apiHosts` would list them, without duplicates.
  package var names: [String] {
    zip(hosts, entries).map { host, entry in host + (entry.port.flatMap { $0 == 443 ? nil : ":\($0)" } ?? "") }.distinct
  }

  package init(patterns: [String]) { entries = patterns.compactMap(Self.entry) }

  /// The hosts without their ports.
  var hosts: [String] { entries.map { ($0.includesSubdomains ? "*." : "") + $0.host } }

  /// Whether `text` is a valid entry of `apiHosts`.
  static func isPattern(_ text: String) -> Bool { entry(text) != nil }

  private static func entry(_ text: String) -> Entry? {
    let pattern = text.lowercased()
    let isWild = pattern.hasPrefix("*.")
    guard let url = try? URLParts("https://" + (isWild ? String(pattern.dropFirst(2)) : pattern)) else { return nil }
    guard url.path.isEmpty, url.query == nil, url.fragment == nil, url.userInfo == nil else { return nil }
    return Entry(host: url.host, port: url.explicitPort, includesSubdomains: isWild)
  }

  /// Whether the token may be sent to this URL. An entry without a port allows 443.
  /// On this machine it allows every port: only ports tell services there apart, and the entry names the user's own machine.
  package func allows(_ url: URLParts) -> Bool {
    entries.contains { entry in
      let isHost = entry.includesSubdomains ? url.host.hasSuffix("." + entry.host) : url.host == entry.host
      guard isHost else { return false }
      if let port = entry.port { return url.port == port }
      return url.port == 443 || url.isLoopback
    }
  }
}
