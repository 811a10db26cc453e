import Jansson
import OAuthCore
import Store

extension Accounts {
  /// Asks the provider to revoke the tokens, then forgets them.
  ///
  /// Forgets the grant even if the provider has no revocation or revokes only one of the tokens.
  /// If the provider could not be reached, the grant stays stored, because it is not revoked.
  package func revoke(_ account: String, requestID: JSON?) async throws -> Revocation {
    await signIns.endForSignOut(account)
    guard let known = try self[account].current() else { throw Self.nothingToRevoke(account) }
    // A secret's command may take a minute, and other processes wait for the lock.
    let client = try await withSecret(known).client
    let revocation = try await self[account].revoking { current in
      guard var grant = current else { throw Self.nothingToRevoke(account) }
      if grant.client.id == client.id { grant.client.configuredSecret = client.configuredSecret }
      let provider = try grant.resolvedProvider
      var outcomes: (revoked: [Revocation.Token], rejected: [Revocation.Token]) = ([], [])
      let tokens: [(Revocation.Token, Secret?, String)] = [
        (.refreshToken, grant.refreshToken, "refresh_token"), (.accessToken, grant.accessToken, "access_token"),
      ]
      for (name, token, hint) in tokens where provider.revocation.includes(hint) {
        guard let token else { continue }
        switch try await revoke(token, hint, grant, provider) {
        case .revoked: outcomes.revoked.append(name)
        case .unsupported: outcomes.rejected.append(name)
        case .failed(let failure): throw failure.of(account)
        }
      }
      var revocation = Revocation(revoked: outcomes.revoked, rejected: outcomes.rejected, of: grant, at: now)
      revocation.logoutURL = grant.logoutURL(provider)
      return revocation
    }
    emit(account, requestID, .revoked(revocation))
    return revocation
  }

  private static func nothingToRevoke(_ account: String) -> OAuthFailure {
    .signInRequired(.noGrant, account: account, message: "no grant is stored for this account, so there is nothing to revoke")
  }

  /// Forgets the account here. The provider is not asked to revoke anything.
  package func signOut(_ account: String) async throws -> (wasKnown: Bool, logoutURL: String?) {
    await signIns.endForSignOut(account)
    let grant = try self[account].current()
    try await self[account].signOut()
    // A fault in the description does not matter here, because the grant is already forgotten.
    return (grant != nil, grant.flatMap { grant in (try? grant.resolvedProvider).flatMap(grant.logoutURL) })
  }

  private func revoke(_ token: Secret, _ hint: String, _ grant: Grant, _ provider: Provider) async throws -> RevocationRequest.Outcome {
    if provider.revocation.revocationStyle == .signed {
      return try await OAuth1Endpoints.revoke(grant, provider, dependencies)
    }
    guard let request = RevocationRequest(token: token, hint: hint).httpRequest(provider, grant.client) else { return .unsupported }
    let response: HTTPResponse
    do {
      response = try await dependencies.exchange(request, to: provider, for: grant.account, as: "revoke", hiding: [token])
    } catch let failure as OAuthFailure {
      throw failure.of(grant.account)
    }
    // A secret that the process has registered itself cannot be corrected.
    return RevocationRequest.outcome(
      response, provider.tokenResponse, isSecretCorrectable: grant.client.secret != nil && !grant.isClientRegistered,
      hiding: Redaction([token], client: grant.client, provider: provider))
  }

  /// Asks the authorization server about the account's access token (RFC 7662, 2.1). Does not refresh a token that is about to expire, because the
  /// question is about the current token.
  package func introspect(_ account: String, requestID: JSON? = nil) async throws -> (isActive: Bool, claims: JSON) {
    let grant = try await withSecret(present(account, requestID: requestID))
    let provider = try grant.resolvedProvider
    let token = try grant.usableToken()
    guard let endpoint = provider.introspectionEndpoint else {
      throw OAuthFailure.unsupported("the provider's description has no introspectionEndpoint").of(account)
    }
    let form = [("token", token.value), ("token_type_hint", "access_token")]
    let response: HTTPResponse
    do {
      let request = HTTPRequest.form(endpoint, form, provider, grant.client)
      response = try await dependencies.exchange(request, to: provider, for: account, as: "introspect", hiding: [token])
    } catch let failure as OAuthFailure {
      throw failure.of(account)
    }
    let hidden = Redaction([token], client: grant.client, provider: provider)
    if let failure = AuthorizationServerResponse(response, hiding: hidden).failure { throw failure.of(account) }
    guard case .spliced(let bytes) = JSON.Scan.splice(response.body), case .bool(let isActive)? = try? JSON.parse(bytes)["active"] else {
      throw OAuthFailure.untrusted("the introspection endpoint's response does not say whether the token is active").of(account)
    }
    return (isActive, .verbatim(bytes))
  }
}
