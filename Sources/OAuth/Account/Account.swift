import Jansson
import OAuthCore
import Plans
import Store

/// An account: its name, and what people do with it. `Life` has its state in this process, and the store has its grant.
///
/// A call takes its token so: `grant(for:)` reads, `TokenUse.verdict` decides, `renew` plans a refresh, `share` lets callers join it, and
/// `refreshed` sends it under `change`. The rules for all of this stand above `Life`.
package struct Account: Sendable {
  package let name: String
  let key: AccountKey
  let accounts: Accounts

  package struct Outcome: Sendable {
    package var grant: Grant
    /// Whether this call stored a new access token.
    package var refreshed: Bool
    /// Whether the old token is used because no new one is available.
    var isPutOff = false
  }

  /// A grant as it was stored, and the one that it replaced, both read under one lock.
  package struct SavedGrant: Sendable {
    package var grant: Grant
    var previous: Grant?
  }

  init(_ name: String, _ accounts: Accounts) { (self.name, key, self.accounts) = (name, AccountKey(name), accounts) }

  var dependencies: Dependencies { accounts.dependencies }
  var lives: Lives { accounts.lives }
  var life: Life { lives[key] }

  // MARK: Reading

  /// Returns the account's grant, also if it could not be written to disk.
  func current() throws(OAuthFailure) -> Grant? {
    let stored = Result { () throws(OAuthFailure) in try dependencies.store.read(name) }
    if case .success(let grant) = stored { accounts.ledger.baseline(name, grant) }
    // The client gets a token of its own instead of one that another user has.
    if case .failure(let failure) = stored, failure.isOfOtherUser, (try? accounts.isForClient(name)) == true { return life.unsaved?.grant }
    return overlay(try stored.get()?.described(by: dependencies.catalog))
  }

  /// Tries again to write an unsaved grant, then returns the account's grant.
  package func currentAfterSaving() async throws -> Grant? {
    if life.unsaved != nil { await saveAgain() }
    return try current()
  }

  /// Returns the grant that could not be written to disk in place of the stored one, which it replaces.
  package func overlay(_ stored: Grant?) -> Grant? {
    guard let unsaved = life.unsaved, unsaved.stillReplaces(stored) else { return stored }
    return unsaved.grant
  }

  func emit(_ requestID: JSON?, _ kind: AccountEvent.Kind) { accounts.emit(name, requestID, kind) }

  /// Returns the result of `work`, whose failures name the account.
  package func naming<Value>(_ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch let failure as OAuthFailure { throw failure.of(name) }
  }
}

/// Work that has to finish before the process ends.
extension Accounts {
  /// Seconds that the process waits at its end for second removals, which wait for other processes.
  private static let sweepTimeoutSeconds = 10

  /// Puts the grants that could not be written to disk in place of the stored ones.
  func overlay(_ listed: [ListedAccount]) -> [ListedAccount] {
    var listed = listed
    for unsaved in lives.all.compactMap(\.unsaved) {
      let account = unsaved.grant.account
      let stored = try? store.find(account)
      guard unsaved.stillReplaces(stored?.grant) else { continue }
      listed.removeAll { $0.account == account }
      listed.append(ListedAccount(StoredGrant(unsaved.grant, sealedWith: stored?.keySource), usedAt: store.lastUse(of: account)))
    }
    return listed.sorted { $0.account < $1.account }
  }

  /// Tries again to write every grant that the disk did not take.
  package func saveAll() async {
    for unsaved in lives.all.compactMap(\.unsaved) { await self[unsaved.grant.account].saveAgain() }
  }

  /// Waits for refreshes that may have been sent, and for grants that are still to be written. With `isLast` no further refresh is sent.
  func finishRefreshes(within seconds: Int, isLast: Bool) async {
    if isLast { lives.close() }
    guard !lives.hasNoWork else { return }
    _ = try? await clock.withTimeout(seconds) { [self] in
      for life in lives.all {
        if case .sent(_, let promise, _) = life.refresh { _ = try? await promise.value() }
      }
      await saveAll()
    }
    _ = try? await clock.withTimeout(min(seconds, Self.sweepTimeoutSeconds)) { [lives] in
      for life in lives.all {
        guard case .sweeping(let sweep) = life.removal else { continue }
        await withTaskCancellationHandler {
          await sweep.value
        } onCancel: {
          sweep.cancel()
        }
      }
    }
  }
}

extension AuthorizationPlan {
  /// Whether this grant makes a sign-in unnecessary.
  func isMet(by grant: Grant, at now: Instant) -> Bool {
    guard expectedSubject == nil || grant.subject == expectedSubject else { return false }
    switch try? TokenUse.verdict(of: self, on: grant, at: now) {
    case .enough, .due: return true
    case .refresh, .signIn, nil: return false
    }
  }
}

extension Account {
  /// The conditions under which a refresh is needed.
  struct RefreshReason: Sendable {
    /// The login's token that the caller saw. A newer valid one on disk is used without a refresh.
    var seen: Grant.Version?
    var validity = Grant.Validity.use
    /// Whether to refresh a token that is still valid.
    var force = false
    /// Whether a service has rejected the token.
    var isTokenRejected = false
    /// Whether the user asks for it in spite of a recorded rejection or a pause that the server asked for.
    var ignoresRejection = false
    /// Whether the ID token must be valid as well, if a refresh can replace it.
    var withIDToken = false
    /// Whether to renew a valid token that is due. If the server rejects that, the token stays in use until it expires.
    var isAhead = false
    /// Whether the plan of a request decides about the client, and not the configuration alone.
    var isPlanned = false
    /// What another token of the login is for; nil for its own.
    var terms: TokenTerms?
    /// The grant's client with a changed secret; nil if the stored one is current.
    var client: Client?
    /// Whether that secret is the caller's. The server's rejection then says nothing about the login.
    var isClientOfRequest = false
    /// The plan of a request for the client's own token with tokens or a key of the configuration, which no grant has.
    var plan: AuthorizationPlan?

    /// Whether the grant that the account has by now makes the refresh unnecessary.
    func isMet(by grant: Grant, at now: Instant) -> Bool {
      // A newer grant has just been refreshed for another caller. Its token is valid for as long as this provider allows.
      let isNewer = isNewer(grant)
      let validity = isNewer ? .use : validity
      return grant.isValid(for: validity, at: now) && !needsNewerToken(of: grant, validity, at: now) && (isNewer || !force)
    }

    /// Whether the grant has a newer token than the caller saw. Another token of the login makes the grant newer, and not its own token.
    func isNewer(_ grant: Grant) -> Bool {
      guard let seen else { return false }
      return grant.generation > seen.generation && (grant.accessToken, grant.issued) != (seen.token, seen.issued)
    }

    /// Whether a valid access token is not enough.
    func needsNewerToken(of grant: Grant, _ validity: Grant.Validity = .use, at now: Instant) -> Bool {
      (withIDToken && grant.wantsIDToken(for: validity, at: now.seconds)) || (isAhead && grant.isDue(at: now))
    }

    /// Whether the access token stays in use if the server refuses the refresh.
    func spares(_ grant: Grant, at now: Instant) -> Bool { !ignoresRejection && !isTokenRejected && grant.isValid(at: now) }
  }
}

extension Grant {
  /// What differs between a grant and a later one of its account.
  typealias Version = (generation: Int, token: Secret?, issued: Instant)

  var version: Version { (generation, accessToken, issued) }
}
