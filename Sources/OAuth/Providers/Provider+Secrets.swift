extension Provider {
  /// Whether a client of `other` is as safe here: every place that its secret would be sent to is at one of the origins of `other`'s.
  package func sendsSecretsNowhereElse(than other: Provider) -> Bool { origins.isSubset(of: other.origins) }

  private var origins: Set<String> {
    let endpoints = [
      tokenEndpoint, token.refreshEndpoint, introspectionEndpoint, revocation.revocationEndpoint, oauth1.requestTokenEndpoint,
      oauth1.accessTokenEndpoint,
    ]
    return Set(endpoints.compactMap { endpoint in endpoint.map { (try? URLParts($0))?.origin ?? $0 } })
  }
}
