import Jansson
import OAuthCore
import Platform
import Store

/// Forgetting the account, here and at the provider.
extension Account {
  /// Asks the provider to revoke the tokens, then forgets them.
  ///
  /// Forgets the grant even if the provider has no revocation or rejects the request. If the provider could not be reached, or asks to try again
  /// later, the grant stays stored, because it is not revoked.
  package func revoke(requestID: JSON?) async throws -> Revocation {
    await endSignIn()
    guard let current = try current() else { throw nothingToRevoke }
    // A secret's command may take a minute, and other processes wait for the lock.
    let client = try await accounts.credentials.withAssertion(current).client
    // The lock is taken first: tokens that another process has just received are then revoked, too.
    let revocation = try await change { hold in
      guard var grant = try hold.grant else { throw nothingToRevoke }
      if grant.client.id == client.id, !client.configured.isEmpty { grant.client.take(client) }
      let provider = try grant.resolvedProvider
      var outcomes: (revoked: [Revocation.Token], rejected: [Revocation.Token]) = ([], [])
      let tokens: [(Revocation.Token, Secret?, String)] = [
        (.refreshToken, grant.refreshToken, "refresh_token"), (.accessToken, grant.accessToken, "access_token"),
      ]
      if grant.client.id == client.id { (grant.client.assertion, grant.client.assertionType) = (client.assertion, client.assertionType) }
      for (name, token, hint) in tokens where provider.revocation.includes(hint) {
        guard let token else { continue }
        let outcome: RevocationRequest.Outcome
        do { outcome = try await revoke(token, hint, grant, provider) } catch let failure as OAuthFailure { outcome = .failed(failure) }
        switch outcome {
        case .revoked: outcomes.revoked.append(name)
        case .refused: outcomes.rejected.append(name)
        case .unsupported: break
        case .failed(var failure):
          failure.problem += "; the login stays, and signOut deletes it here alone"
          throw failure.of(self.name)
        }
      }
      var revocation = Revocation(revoked: outcomes.revoked, rejected: outcomes.rejected, of: grant, at: dependencies.clock.now)
      revocation.logoutURL = grant.logoutURL(provider)
      revocation.page = revocation.logoutURL ?? provider.authorizationEndpoint.map(Provider.origin)
      try await hold.remove(as: .revoked)
      return revocation
    }
    emit(requestID, .revoked(revocation))
    return revocation
  }

  /// Ends the open sign-in. No process goes on with one that an ended process has left, or shows what the server has said to the account.
  private func endSignIn() async {
    await Blocking.run { [accounts, name] in accounts.clearCache(of: name) }
    await openSignIn?.endForSignOut()
    await changeSignInRecord { ($0.open, $0.failure) = (nil, nil) }
  }

  private var nothingToRevoke: OAuthFailure {
    .signInRequired(.noGrant, account: name, message: "no grant is stored for this account, so there is nothing to revoke")
  }

  private func revoke(_ token: Secret, _ hint: String, _ grant: Grant, _ provider: Provider) async throws -> RevocationRequest.Outcome {
    if provider.revocation.revocationStyle == .signed { return try await OAuth1Endpoints.revoke(grant, provider, dependencies) }
    let revocation = RevocationRequest(token: token, hint: hint)
    guard let plain = revocation.httpRequest(provider, grant.client) else { return .unsupported }
    let (response, client) = try await naming {
      try await dependencies.exchange(
        by: grant.client, at: provider.revocation.revocationEndpoint, to: provider, for: name, as: "revoke", hiding: [token]
      ) { revocation.httpRequest(provider, $0) ?? plain }
    }
    return RevocationRequest.outcome(
      response, provider.tokenResponse, hiding: Redaction([token], client: client, provider: provider))
  }

  /// Seconds to wait for the account's lock; after that the account is forgotten without it. A refresh holds the lock until the server answers.
  private static let lockTimeoutSeconds = 1

  /// Forgets the account here. The provider is not asked to revoke anything.
  package func signOut() async throws -> (wasSignedIn: Bool, logoutURL: String?) {
    await endSignIn()
    let step = accounts.ledger.step
    let stored = try dependencies.store.read(name)?.described(by: dependencies.catalog)
    let grant = overlay(stored)
    try await forget(grant, (.init(stored), step))
    // A fault in the description does not matter here, because the grant is already forgotten.
    return (grant != nil, grant.flatMap { grant in (try? grant.resolvedProvider).flatMap(grant.logoutURL) })
  }

  /// Forgets the account at once, even if an unanswered refresh holds its lock. That refresh then finds no grant to replace.
  private func forget(_ forgotten: Grant?, _ seen: ChangeLedger.Seen) async throws {
    // An unsaved grant's lock, until the end: another process would send the old refresh token.
    let lock = life.unsaved?.lock
    defer { withExtendedLifetime(lock) {} }
    if lives.change(key, { $0.signOut() }) {
      do throws(OAuthFailure) { return try await erase(as: .signedOut, replacing: seen) } catch {
        lives.change(key) { $0.removal = .none }
        throw error
      }
    }
    if life.refresh.running == nil {
      let removed: Void? = try await dependencies.clock.withTimeout(Self.lockTimeoutSeconds) {
        try await change(with: lock) { try await $0.remove(as: .signedOut) }
      }
      if removed != nil { return }
    }
    lives.change(key) { $0.tokens = .onDisk }
    try await erase(as: .signedOut, replacing: seen)
    guard let forgotten else { return }
    // What has the lock may write its grant just after its last check.
    // That grant continues the forgotten login, however new its token, and is removed again.
    lives.change(key) { life in
      life.endSweep()
      life.removal = .sweeping(
        Task {
          await removeAgain(after: forgotten)
          // A cancelled task has been replaced or is no longer counted.
          lives.change(key) { if !Task.isCancelled { $0.removal = .none } }
        })
    }
  }

  /// Removes what a refresh of the forgotten grant has stored since. The grant of a new sign-in stays.
  private func removeAgain(after forgotten: Grant) async {
    try? await change { hold in
      guard !Task.isCancelled, let grant = try hold.grant, grant.descends(from: forgotten) else { return }
      do throws(OAuthFailure) {
        try await hold.remove(as: .signedOut)
      } catch {
        emit(nil, .failed(error.of(name)))
      }
    }
  }
}

/// Asking the authorization server.
extension Account {
  /// Asks the authorization server about the account's access token (RFC 7662, 2.1). Does not refresh a token that is about to expire, because the
  /// question is about the current token.
  package func introspect(_ grant: Grant) async throws -> (isActive: Bool, claims: JSON) {
    let grant = try await accounts.credentials.withAssertion(grant)
    let provider = try grant.resolvedProvider
    let token = try grant.usableToken()
    guard let endpoint = provider.introspectionEndpoint else {
      throw OAuthFailure.unsupported("the provider's description has no introspectionEndpoint").of(name)
    }
    let form = [("token", token.value), ("token_type_hint", "access_token")]
    let (response, client) = try await naming {
      try await dependencies.exchange(
        by: grant.client, at: endpoint, to: provider, for: name, as: "introspect", hiding: [token]
      ) { .form(endpoint, form, provider, $0) }
    }
    let hidden = Redaction([token], client: client, provider: provider)
    if let failure = AuthorizationServerResponse(response, hiding: hidden).failure { throw failure.of(name) }
    guard case .success(let bytes) = JSON.Scan.splice(response.body), case .bool(let isActive)? = try? JSON.parse(bytes)["active"] else {
      throw OAuthFailure.untrusted("the introspection endpoint's response does not say whether the token is active").of(name)
    }
    return (isActive, .verbatim(bytes))
  }
}
