extension Provider {
  /// Returns whether this provider sends secrets only to origins of `other`, so that a client of `other` is as safe here.
  package func sendsSecretsNowhereElse(than other: Provider) -> Bool { sendsSecrets(onlyTo: other.origins) }

  /// Returns whether this provider sends the client's secret only to these origins.
  package func sendsSecrets(onlyTo origins: Set<String>) -> Bool { self.origins.isSubset(of: origins) }

  /// Returns whether this provider sends access tokens only to hosts and endpoints that `other` names as well.
  package func sendsTokensNowhereElse(than other: Provider) -> Bool {
    let known = AllowedHosts(other).names
    return AllowedHosts(self).names.allSatisfy(known.contains)
      && (userInfoEndpoint == nil || userInfoEndpoint == other.userInfoEndpoint)
      && (afterSignIn == nil || afterSignIn?.url == other.afterSignIn?.url)
  }

  /// The endpoints that receive a client secret or a refresh token.
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

  package var origins: Set<String> {
    let endpoints = Self.secretPlaces.compactMap { self[keyPath: $0.place] }
    let origins = Set(endpoints.map(Self.origin))
    // If the redirect can change an endpoint's host, these are the hosts that it may name.
    let isOpen = endpoints.contains { $0.utf8.contains(UInt8(ascii: "{")) }
    return isOpen ? origins.union((api.endpointHosts + (api.apiHosts ?? [])).map { "{} " + $0.lowercased() }) : origins
  }

  /// Returns the origin, or the text itself if it is not yet a URL.
  package static func origin(_ endpoint: String) -> String { (try? URLParts(endpoint).origin) ?? endpoint }

  /// The origin that issues tokens, which identifies the provider.
  private var home: String? { (tokenEndpoint ?? oauth1.accessTokenEndpoint ?? openid.openidEndpoint).map(Self.origin) }

  /// Returns the members that send secrets to an origin unknown to `other`; nil if this is a different provider.
  package func leakingMembers(beside other: Provider) -> [String]? {
    guard protocolName == other.protocolName, let home, home == other.home else { return nil }
    let known = other.origins
    return Self.secretPlaces.compactMap { member, place in
      self[keyPath: place].flatMap { known.contains(Self.origin($0)) ? nil : member }
    }
  }

  /// Whether a grant of one provider is also a grant of the other.
  package func isSame(as other: Provider) -> Bool {
    protocolName == other.protocolName && authorizationEndpoint == other.authorizationEndpoint
      && tokenEndpoint == other.tokenEndpoint && oauth1.accessTokenEndpoint == other.oauth1.accessTokenEndpoint
      // A token for one resource is invalid for another resource of the same server (RFC 8707).
      && request.authorizationParameters["resource"] == other.request.authorizationParameters["resource"]
      && openid.openidEndpoint == other.openid.openidEndpoint
  }

  /// Uses the client's RSA key, unless the reference is a description with its own key.
  package mutating func use(privateKey key: Secret, unlessIn reference: ProviderReference) {
    switch reference {
    case .url: return
    case .description(let members) where members.contains { $0.name == "privateKey" }: return
    case .preset, .description: break
    }
    oauth1.privateKey = key
    source = .object((source.members ?? []).filter { $0.name != "privateKey" } + [.init("privateKey", .string(key.value))])
  }
}

extension Redaction {
  /// Also hides the client's secret and Basic credential, and the secrets in the provider's description.
  package init(_ secrets: [Secret], client: Client? = nil, provider: Provider?) {
    let description = provider?.source
    self.init {
      var all = secrets + (description?.writtenSecrets ?? [])
      if let client, let secret = client.secret { all += [secret, Secret(String(client.basicHeader.value.dropFirst("Basic ".count)))] }
      return all
    }
  }
}
