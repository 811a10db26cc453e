import Jansson

extension Accounts {
  /// Keeps what another program kept, as if somebody had signed in here; the provider is not asked whether it is still good.
  ///
  /// A grant that is there already is not replaced unless the caller says so: nobody gets a second chance at a login that was overwritten.
  package func importGrant(_ imported: ImportedGrant, for request: AuthorizeRequest, replaces: Bool) async throws -> Grant {
    var request = request
    if request.provider == nil { request.provider = try imported.provider(among: surroundings.presets) }
    let setup = try settle(request)
    let imported = try imported.settled(by: setup.provider.answer, now: now)
    let wanted: Provider.ProtocolName = imported.tokenSecret == nil ? .oauth2 : .oauth1
    let isIdentity = imported.accessToken == nil && imported.refreshToken == nil
    guard isIdentity || setup.provider.grants(wanted) else {
      throw FieldError("/provider", "speaks \(setup.provider.protocolName.rawValue), but what is imported is of \(wanted.rawValue)")
    }
    var grant = setup.grant(accessToken: imported.accessToken, tokenType: imported.tokenType, at: imported.issuedAt ?? now)
    grant.tokenSecret = imported.tokenSecret
    grant.sessionHandle = imported.sessionHandle
    grant.refreshToken = imported.refreshToken
    grant.idToken = imported.idToken
    grant.expiresAt = imported.expiresAt
    // An answer without scopes means those that were asked for (RFC 6749, 5.1), which nobody here has seen; the caller may know them.
    let scopes = imported.scopes ?? request.scopes ?? (isIdentity ? [] : nil)
    grant.grantedScopes = scopes ?? []
    grant.unknownScopes = scopes == nil ? .unasked : nil
    grant.subject = imported.subject
    grant.email = imported.email
    grant.attributes = imported.attributes
    do {
      // A base that leads where nothing may go is refused before anything is kept.
      _ = try setup.provider.filled(with: grant.attributes, client: setup.client)
    } catch {
      throw FieldError("/data", "does not fit the provider: \(error.message)")
    }
    grant.declinedScopes = imported.facts?.declinedScopes ?? []
    grant.refreshTokenExpiresAt = imported.refreshTokenExpiresAt
    grant.idTokenExpiresAt = imported.facts?.idTokenExpiresAt
    grant.isClientRegistered = imported.facts?.isClientRegistered ?? false
    grant.clientScopes = imported.facts?.clientScopes
    grant.clientParameters = imported.facts?.clientParameters
    grant.redirectUri = request.redirectUri ?? imported.facts?.redirectUri ?? imported.redirectUri
    do {
      if replaces { return try await refreshes.keep(grant, isHeld: false).grant }
      guard let kept = try await refreshes.keepFirst(grant) else {
        throw FieldError("/account", "has a grant already; replace:true puts this one in its place")
      }
      return kept
    } catch let failure as OAuthFailure {
      throw failure.of(setup.account)
    }
  }

  /// The account's grant with all its secrets, for whoever may have them.
  package func exported(_ account: String) async throws -> Grant {
    guard let grant = try await refreshes.settled(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    return grant
  }
}

extension ImportedGrant {
  /// The preset of the name that the other program had for the provider.
  package func provider(among presets: Presets) throws(OAuthFailure) -> ProviderReference? {
    guard let name = providerName?.lowercased(), try presets.description(of: name) != nil else { return nil }
    return .preset(name)
  }
}

extension Provider {
  /// Whether tokens of this protocol come from here: OpenID 2.0 knows none, but its hybrids bring those of the other two.
  fileprivate func grants(_ tokens: ProtocolName) -> Bool {
    guard protocolName == .openid2 else { return protocolName == tokens }
    return tokens == .oauth1 ? oauth1.accessTokenEndpoint != nil : tokenEndpoint != nil
  }
}
