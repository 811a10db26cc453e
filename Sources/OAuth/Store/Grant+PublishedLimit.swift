import OAuthCore

extension Grant {
  /// Returns the grant plus hosts that the configuration or the request named after the sign-in; nil if there are none.
  ///
  /// Otherwise a host added after an error would take effect only after the next sign-in.
  func naming(hostsOf provider: Provider) -> Grant? {
    var better = self
    // A description without a publication names all its hosts itself.
    better.publishedLimit?.name(provider.publishedLimit?.namedHosts ?? PublishedLimit.hosts(in: provider.source))
    guard better.publishedLimit != publishedLimit else { return nil }
    better.generation += 1
    return better
  }
}
