import Jansson

extension Provider {
  /// Whether the configuration or the request names the host, rather than a server that published it.
  ///
  /// Of a discovered provider that is all but what was published.
  func names(_ url: URLParts) -> Bool {
    let published = JSON.object(published ?? [])
    let named = (source.members ?? []).filter { published[$0.name] != $0.value }
    return Self.hosts(in: .object(named)).contains { $0 == url.host || ($0.hasPrefix("*.") && url.host.hasSuffix($0.dropFirst())) }
  }

  /// The hosts of every URL in there, and every text that may be a host.
  private static func hosts(in json: JSON) -> [String] {
    switch json {
    case .string(let text) where text.hasPrefix("*."): [text]
    case .string(let text): [try? URLParts(text), try? URLParts("https://" + text)].compactMap { $0?.host }
    case .array(let values): values.flatMap(hosts)
    case .object(let members): members.flatMap { hosts(in: $0.value) }
    default: []
    }
  }
}
