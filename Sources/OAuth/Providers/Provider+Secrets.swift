extension Provider {
  /// Whether a client of `other` is as safe here: every place that its secret would be sent to is at one of the origins of `other`'s.
  package func sendsSecretsNowhereElse(than other: Provider) -> Bool { origins.isSubset(of: other.origins) }

  private var origins: Set<String> {
    let endpoints = [
      deviceAuthorizationEndpoint,
      tokenEndpoint, token.refreshEndpoint, longLived.longLivedEndpoint, introspectionEndpoint, revocation.revocationEndpoint,
      oauth1.requestTokenEndpoint,
      oauth1.accessTokenEndpoint,
    ]
    let origins = Set(endpoints.compactMap { endpoint in endpoint.map { (try? URLParts($0))?.origin ?? $0 } })
    // Where the redirect has a say in an endpoint, these are the hosts that it may name.
    let isOpen = endpoints.contains { $0?.utf8.contains(UInt8(ascii: "{")) == true }
    return isOpen ? origins.union((api.endpointHosts + (api.apiHosts ?? [])).map { "{} " + $0.lowercased() }) : origins
  }
}

extension Grant {
  /// The secret that this client used here; only where `provider` sends it nowhere that it has not been sent to before.
  func secret(of clientId: String, for provider: Provider) throws(OAuthFailure) -> Secret? {
    guard client.id == clientId, let secret = client.secret else { return nil }
    return provider.sendsSecretsNowhereElse(than: try resolvedProvider) ? secret : nil
  }
}
