import Jansson
import OAuth
import OAuthCore
import Plans
import Store

extension Accounts {
  /// The account has a grant, and the caller does not replace it.
  package static let alreadyImported = FieldError("/account", "already has a grant", "; replace:true replaces it")

  /// Stores a grant of another program as if the user had signed in here. Does not ask the provider whether the grant is still valid.
  ///
  /// Replaces an existing grant only if the caller says so: an overwritten login cannot be restored.
  package func importGrant(_ imported: ImportedGrant, for input: AuthorizationInput, replaces: Bool) async throws -> Grant {
    try checkLogin(input.account)
    var input = input
    input.purpose = .importGrant
    if input.provider == nil { input.usualProvider = try imported.provider(among: dependencies.catalog) }
    // The tokens belong to the client that the file names.
    if let client = imported.client, input.clientId == nil || input.clientId == client.id {
      (input.clientId, input.credentials) = (client.id, input.credentials.completed(by: client.credentials))
    }
    return try await withRequest(input) { request in
      let plan = try await request.plan()
      let settled = try imported.settled(by: plan.provider.tokenResponse, now: self.now)
      for member in settled.unreadTimes.map(\.plain) {
        let problem = "is neither Unix seconds nor ISO 8601 with a zone, so the end of the token is not known"
        self.dependencies.log(.init(.warning, "the member \(member) of the imported \(plan.account) \(problem)"))
      }
      let grant = try self.grant(settled, plan, request)
      let account = self[plan.account]
      return try await account.naming {
        // Of several callers, only one finds no grant.
        try await account.keep(grant, keepsInMemoryOnFailure: false) { if !replaces, $0 != nil { throw Self.alreadyImported } }.grant
      }
    }
  }

  /// Returns the grant to store. `imported` has been read by the provider's rules.
  private func grant(_ imported: ImportedGrant, _ plan: AuthorizationPlan, _ request: AccountRequest) throws -> Grant {
    let wanted: Provider.ProtocolName = imported.tokenSecret == nil ? .oauth2 : .oauth1
    let isIdentity = imported.accessToken == nil && imported.refreshToken == nil
    guard isIdentity || plan.provider.grants(wanted) else {
      throw FieldError("/provider", "uses \(plan.provider.protocolName.rawValue), but the imported grant is for \(wanted.rawValue)")
    }
    if imported.tokenType?.lowercased() == "dpop" {
      throw FieldError("/data", "has a token that is bound to a key (DPoP), which the data lack", ": sign in here instead")
    }
    let canRegister = AuthorizationPlan.canRegister(with: plan.provider)
    var grant = plan.grant(accessToken: imported.accessToken, tokenType: imported.tokenType, at: imported.issuedAt ?? now)
    grant.tokenSecret = imported.tokenSecret
    grant.sessionHandle = imported.sessionHandle
    grant.refreshToken = imported.refreshToken
    // A token that is used until it ends needs no client.
    if plan.lacksClient, isIdentity || imported.tokenSecret != nil || grant.isRenewable {
      throw FieldError.missing("/clientId", ": nothing names the client that the login belongs to, and no other client can use it")
    }
    grant.importedAt = now
    grant.idToken = imported.idToken
    grant.expiresAt = imported.expiresAt
    // A token response without scopes means the requested ones (RFC 6749, 5.1).
    // This process has not seen that request, but the caller or the account's entry may name the scopes.
    let entry = wanted == .oauth2 ? request.configured?.scopes.flatMap { $0.isEmpty ? nil : $0 } : nil
    let scopes = imported.scopes ?? request.input.scopes ?? (isIdentity ? [] : entry)
    grant.grantedScopes = scopes ?? []
    grant.unknownScopes = scopes == nil ? .notRefreshedYet : nil
    grant.subject = imported.subject
    grant.email = imported.email
    grant.attributes = imported.attributes
    do {
      // Before anything is stored, rejects a base URL on a host that is not allowed.
      _ = try plan.provider.filled(with: grant.attributes, client: plan.client)
    } catch {
      throw FieldError("/data", "does not fit the provider: \(error.message)")
    }
    grant.declinedScopes = imported.facts?.declinedScopes ?? []
    grant.refreshTokenExpiresAt = imported.refreshTokenExpiresAt
    grant.idTokenExpiresAt = imported.facts?.idTokenExpiresAt
    grant.isClientForgotten = imported.isClientOfAnother && canRegister && plan.client.id == imported.client?.id
    grant.isClientRegistered = imported.facts?.isClientRegistered ?? grant.isClientForgotten
    grant.clientScopes = imported.facts?.clientScopes
    grant.clientParameters = imported.facts?.clientParameters
    grant.clientRequest = imported.facts?.clientRequest
    // The key of an earlier grant does not sign what the caller wants.
    if grant.clientRequest?["assertionClaims"] != nil { grant.client.stored.key = nil }
    grant.redirectUri = request.input.redirectUri ?? request.configured?.redirectUri ?? imported.facts?.redirectUri ?? imported.redirectUri
    return grant
  }

  /// Returns the account's grant with all its secrets, for a caller that may have them.
  package func exported(_ account: String) async throws -> Grant {
    try checkLogin(account)
    guard let grant = try await self[account].currentAfterSaving() else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    if grant.isRejected { throw grant.ended() }
    return grant
  }
}

extension ImportedGrant {
  /// Returns the preset that has the other program's name for the provider, or else the authorization server.
  fileprivate func provider(among catalog: ProviderCatalog) throws -> ProviderReference? {
    if let name = providerName?.lowercased(), try catalog.description(of: name) != nil { return .preset(name) }
    return try issuer.map { try ProviderReference.read(.string($0), at: "/data/issuer") }
  }
}

extension Provider {
  /// Whether this provider issues tokens of this protocol. OpenID 2.0 has no tokens, but its hybrids issue those of OAuth 1 or 2.
  fileprivate func grants(_ tokens: ProtocolName) -> Bool {
    guard protocolName == .openid2 else { return protocolName == tokens }
    return tokens == .oauth1 ? oauth1.accessTokenEndpoint != nil : tokenEndpoint != nil
  }
}
