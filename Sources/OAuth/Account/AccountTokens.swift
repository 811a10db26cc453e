import Jansson
import OAuthCore
import Plans
import Store

/// The tokens of an account as a request names it: those of the login, or another token of it.
package struct AccountTokens: Sendable {
  /// The account's name as the request has it.
  package let name: String
  /// The account with the login.
  package let login: Account
  /// What the token is for; nil for the login's own.
  package let terms: TokenTerms?
  /// The entry of the configuration that names the token; nil if none does.
  let derived: DerivedAccount?

  /// Returns a grant with a token that is good enough for the use. Times out after `seconds`; the message names `time`.
  package func grant(
    for use: TokenUse = TokenUse(), in seconds: Int = Accounts.defaultTimeoutSeconds, of time: Int? = nil, requestID: JSON?
  ) async throws -> Account.Outcome {
    if terms != nil, use.idToken == .needed {
      throw OAuthFailure.unsupported("another token of a login has no ID token: ask for that of \(login.name.plain)").of(name)
    }
    // The usual case needs no network and no lock, and therefore no timeout.
    if let grant = readOnThisThread(for: use) { return Account.Outcome(grant: grant, refreshed: false) }
    try await login.accounts.prepareStore(login.name, within: seconds)
    return try await login.accounts.withinTimeout(login.name, seconds, of: time) {
      guard let terms else { return try await login.grant(for: use, requestID) }
      let work = { @Sendable in shown(try await login.otherGrant(terms, validity: use.validity, requestID: requestID)) }
      guard use.validity == .handOut, let held = try login.current().flatMap({ login.stored(terms, in: $0, .use, nil) }) else {
        return try await work()
      }
      // A token that ends before the other program asks again is better than none.
      let outcome = try? await login.dependencies.clock.withTimeout(Account.earlyWait, work)
      return outcome ?? shown(Account.Outcome(grant: held, refreshed: false))
    }
  }

  /// Returns the same grant if it can be had without waiting for a program, the network or a running refresh; nil otherwise.
  ///
  /// For the thread that reads requests.
  package func readOnThisThread(for use: TokenUse) -> Grant? {
    guard login.life.hasNoWork, let stored = login.accounts.readAtOnce(login.name) ?? nil else { return nil }
    let grant = stored.grant.described(by: login.dependencies.catalog)
    if let terms {
      let isEnough = !use.force && use.idToken != .needed && !grant.isRejected
      return isEnough ? login.stored(terms, in: grant, use.validity, nil).map(shown) : nil
    }
    guard case .enough? = try? use.verdict(on: grant, at: login.dependencies.clock.instant) else { return nil }
    return grant
  }

  /// Returns a new token after a service rejected that of the grant. A newer token of another process or request is enough.
  package func replaceRejected(_ grant: Grant, requestID: JSON?) async throws -> Account.Outcome {
    guard let terms else { return try await login.renew(grant, .init(seen: grant.version, force: true, isTokenRejected: true), requestID) }
    return shown(try await login.otherGrant(terms, insteadOf: grant.accessToken, requestID: requestID))
  }

  /// Makes the token valid. Returns what `authorize` would, and whether it is new.
  package func refresh(validity: Grant.Validity = .use, force: Bool, requestID: JSON?) async throws -> (
    authorization: Authorization, refreshed: Bool
  ) {
    let outcome: Account.Outcome
    if let terms {
      let rejected = force ? try await login.currentAfterSaving()?.other(terms)?.accessToken : nil
      outcome = shown(try await login.otherGrant(terms, validity: validity, insteadOf: rejected, requestID: requestID))
    } else {
      outcome = try await login.grant(for: TokenUse(validity: validity, idToken: .renewed, force: force), requestID)
    }
    let via: Authorization.Source = outcome.refreshed ? .refreshed : .stored
    var authorization = Authorization(outcome.grant, via: via, asked: [], now: login.dependencies.clock.now)
    if terms != nil { authorization.account = name }
    return (authorization, outcome.refreshed)
  }

  /// Returns the grant, and requests a token if there is none.
  package func present(requestID: JSON?) async throws -> Grant {
    guard let terms else { return try await login.present(requestID: requestID) }
    return shown(try await login.otherGrant(terms, validity: .seconds(0), requestID: requestID)).grant
  }

  /// Records that a service has rejected the token. Returns whether the login is marked now: another token says nothing about it.
  package func wasRejected(_ grant: Grant, isCertain: Bool) async -> Bool {
    terms == nil ? await login.wasRejected(grant, isCertain: isCertain) : false
  }

  /// Deletes another token of the login here. Returns whether there was one.
  package func forget() async throws -> Bool { if let terms { try await login.forget(terms) } else { false } }

  /// Asks the provider to revoke the login's tokens. Another token is deleted here alone, because many servers end the whole login with it.
  package func revoke(requestID: JSON?) async throws -> Revocation {
    guard terms != nil else { return try await login.revoke(requestID: requestID) }
    _ = try await forget()
    let revocation = Revocation()
    login.accounts.emit(name, requestID, .revoked(revocation))
    return revocation
  }

  /// Returns the grant as it is stored, with the stored token for the terms if there is one.
  package func held() throws -> Grant {
    let grant = try login.accounts.grant(login.name)
    return shown(terms.flatMap(grant.other).map(grant.using) ?? grant)
  }

  /// Returns the grant with the login's certificate, for a request to an API. Hosts that the login's provider does not name do not get it: a client can
  /// import a grant. Those of an entry are the user's own words.
  package func withCertificate(_ grant: Grant) async throws -> Grant {
    guard grant.client.isCertificateConfigured else { return grant }
    var grant = grant
    let judged = terms == nil ? grant : try login.accounts.grant(login.name)
    grant.client = try await login.accounts.credentials.withSecret(judged, forCalls: true).client
    return grant
  }

  private func shown(_ outcome: Account.Outcome) -> Account.Outcome {
    var outcome = outcome
    outcome.grant = shown(outcome.grant)
    return outcome
  }

  /// Returns the grant with the hosts of the entry, if it names its own. The token then goes to no other.
  private func shown(_ grant: Grant) -> Grant {
    guard let derived, !derived.api.isEmpty else { return grant }
    var grant = grant
    let replaced = derived.api.contains { $0.name == "apiHosts" } ? DerivedAccount.ofHosts : ["apiHeaders"]
    let kept = (grant.provider.members ?? []).filter { !replaced.contains($0.name) }
    grant.provider = .object(kept + derived.api)
    return grant
  }
}
