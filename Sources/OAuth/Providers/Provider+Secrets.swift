import Jansson

extension Provider {
  /// Whether a client of `other` is as safe here: every place that its secret would be sent to is at one of the origins of `other`'s.
  package func sendsSecretsNowhereElse(than other: Provider) -> Bool { sendsSecrets(onlyTo: other.origins) }

  /// Whether every place that the client's secret would be sent to is at one of these origins.
  package func sendsSecrets(onlyTo origins: Set<String>) -> Bool { self.origins.isSubset(of: origins) }

  /// Whether access tokens go to no host, and to no endpoint of the description, that `other` does not name.
  package func sendsTokensNowhereElse(than other: Provider) -> Bool {
    let known = AllowedHosts(other).names
    return AllowedHosts(self).names.allSatisfy(known.contains)
      && (userInfoEndpoint == nil || userInfoEndpoint == other.userInfoEndpoint)
      && (afterSignIn == nil || afterSignIn?.url == other.afterSignIn?.url)
  }

  /// Where a client's secret or a refresh token is sent to.
  private static var secretPlaces: [(member: String, place: WritableKeyPath<Provider, String?>)] {
    [
      ("tokenEndpoint", \.tokenEndpoint), ("refreshEndpoint", \.token.refreshEndpoint),
      ("longLivedEndpoint", \.longLived.longLivedEndpoint),
      ("introspectionEndpoint", \.introspectionEndpoint), ("revocationEndpoint", \.revocation.revocationEndpoint),
      ("deviceAuthorizationEndpoint", \.deviceAuthorizationEndpoint),
      ("pushedAuthorizationRequestEndpoint", \.pushedAuthorizationRequestEndpoint), ("requestTokenEndpoint", \.oauth1.requestTokenEndpoint),
      ("accessTokenEndpoint", \.oauth1.accessTokenEndpoint),
    ]
  }

  var origins: Set<String> {
    let endpoints = Self.secretPlaces.compactMap { self[keyPath: $0.place] }
    let origins = Set(endpoints.map(Self.origin))
    // Where the redirect has a say in an endpoint, these are the hosts that it may name.
    let isOpen = endpoints.contains { $0.utf8.contains(UInt8(ascii: "{")) }
    return isOpen ? origins.union((api.endpointHosts + (api.apiHosts ?? [])).map { "{} " + $0.lowercased() }) : origins
  }

  /// The text itself where it is no URL yet.
  static func origin(_ endpoint: String) -> String {
    do {
      return try URLParts(endpoint).origin
    } catch {
      return endpoint
    }
  }

  /// Where tokens come from, which makes the provider the one that it is.
  private var home: String? {
    (tokenEndpoint ?? oauth1.accessTokenEndpoint ?? openid.openidEndpoint ?? openid.openidIdentifier).map(Self.origin)
  }

  /// Members of its description that send secrets to an origin that `other` sends none to; nil where this is another provider than `other`.
  func leakingMembers(beside other: Provider) -> [String]? {
    guard protocolName == other.protocolName, let home, home == other.home else { return nil }
    let known = other.origins
    return Self.secretPlaces.compactMap { member, place in
      self[keyPath: place].flatMap { known.contains(Self.origin($0)) ? nil : member }
    }
  }
}

extension AuthorizeSetup {
  /// The grant's client with the secret that is named today, where that is another one: secrets are replaced, and what is kept would be refused from
  /// then on. nil where nothing has changed, or where the grant's own places are not those that the secret is for.
  func client(newFor grant: Grant) throws(OAuthFailure) -> Client? {
    guard let secret = request.clientSecret, client.id == grant.client.id, secret != grant.client.secret else { return nil }
    return try grant.resolvedProvider.sendsSecretsNowhereElse(than: provider) ? client : nil
  }
}

extension Grant {
  /// The secret that this client used here; only where `provider` sends it nowhere that it has not been sent to before.
  func secret(of clientId: String, for provider: Provider) throws(OAuthFailure) -> Secret? {
    guard client.id == clientId, let secret = client.secret else { return nil }
    return provider.sendsSecretsNowhereElse(than: try resolvedProvider) ? secret : nil
  }
}
