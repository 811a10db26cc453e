import OAuthCore
import Platform
import Store

/// Storing the grants of sign-ins and imports.
extension TokenRefresher {
  /// A grant as it was stored, and the one that it replaced, both read under one lock.
  struct SavedGrant: Sendable {
    var grant: Grant
    var previous: Grant?
  }

  /// Does work under the account's lock. If only memory has a rotated refresh token after it, the lock stays held.
  func locked<Value>(_ account: String, forRefresh: Bool = false, _ work: () async throws -> Value) async throws -> Value {
    let store = dependencies.store
    let lock = try await forRefresh ? store.lockForRefresh(account) : store.lock(account)
    defer { releaseUnlessRotated(lock, of: account) }
    return try await work()
  }

  /// Stores a grant of a sign-in or import in place of the current one, unless `admit` throws once the lock is free.
  /// If the grant cannot be stored, `isHeld` says whether it stays in memory. A user has signed in for it; a client can repeat an import.
  func keep(
    _ grant: Grant, isHeld: Bool = true, if admit: @Sendable (_ previous: Grant?) throws -> Void = { _ in }
  ) async throws -> SavedGrant {
    let key = AccountKey(grant.account)
    var new = grant
    new.login = newLogin()
    var isLocked = false
    do {
      return try await locked(grant.account) {
        let kept = try successor(new)
        isLocked = true
        try admit(kept.previous)
        sweeps.removeValue(forKey: key)?.cancel()
        let before = unsaved[key]
        do {
          try await save(kept.grant)
        } catch {
          // `save` holds the grant in memory. It must not stay there if the client repeats the import or no request wants the grant any more.
          if !isHeld { unsaved[key] = before }
          do {
            try admit(kept.previous)
          } catch let rejection {
            unsaved[key] = before
            throw rejection
          }
          throw error
        }
        return kept
      }
    } catch let error where !isLocked {
      // A lock that fails must not lose the sign-in, and the stored grant must not count as newer.
      var held = (try? successor(new)) ?? SavedGrant(grant: new)
      try admit(held.previous)
      guard isHeld else { throw error }
      // The process that holds the lock may still store a refreshed grant.
      held.grant.generation += Self.margin
      logUnwritten(held.grant, error)
      hold(held.grant)
      throw error
    }
  }

  func save(_ grant: Grant, in reservation: GrantReservation? = nil) async throws {
    changes.begin(grant.account)
    do throws(OAuthFailure) {
      if let reservation { try await reservation(grant) } else { try await dependencies.store.write(grant) }
      unsaved[.init(grant.account)] = nil
      changes.end(grant.account, .stored(grant))
    } catch {
      changes.end(grant.account, .failed)
      logUnwritten(grant, error)
      // What another machine has stored since is newer.
      if error.isSuperseded { unsaved[.init(grant.account)] = nil } else { hold(grant) }
      throw error.of(grant.account)
    }
  }

  /// Holds in memory a grant that could not be written, and the stored grant that it replaces.
  func hold(_ grant: Grant) {
    do throws(OAuthFailure) {
      unsaved[.init(grant.account)] = UnsavedGrant(grant: grant, replaced: try dependencies.store.read(grant.account))
    } catch {
      unsaved[.init(grant.account)] = UnsavedGrant(grant: grant, replacesUnreadable: error.isRetryable)
    }
  }

  /// Tries again to write a grant to disk. Throws nothing: the first failure was reported, and the caller can use the grant in memory.
  func saveAgain(_ account: String) async {
    guard refreshing.running(.init(account)) == nil else { return }
    // After a failure the grant stays in memory.
    try? await locked(account) {
      guard var held = unsaved[.init(account)] else { return }
      let stored = try replaceable(account)
      guard held.follows(stored) else {
        unsaved[.init(account)] = nil
        return dependencies.log(.grantNotWritten(account: account, reason: "the account has been signed in or out since"))
      }
      // Other processes take the larger number for the newer grant.
      if held.replacesUnreadable, let stored { held.grant.generation = max(held.grant.generation, stored.generation + 1) }
      try await save(held.grant)
    }
  }

  /// Releases the account's lock. If only memory has the rotated refresh token, keeps the lock and writes it again in the background: another
  /// process would send the old one from the disk, which many providers take for a theft and answer by ending the login (RFC 9700, 4.14.2).
  func releaseUnlessRotated(_ lock: GrantLock, of account: String) {
    let key = AccountKey(account)
    guard let held = unsaved[key], held.hasRotated else { return }
    dependencies.store.retain(lock, of: account)
    guard writing[key] == nil, !isClosed else { return }
    writing[key] = Task {
      var pause = 1
      while unsaved[key]?.hasRotated == true, (try? await dependencies.clock.sleep(seconds: pause)) != nil {
        await saveAgain(account)
        pause = min(pause * 2, Self.longestPause)
      }
      writing[key] = nil
    }
  }

  func logUnwritten(_ grant: Grant, _ error: any Error) {
    let reason = (error as? OAuthFailure)?.message ?? "it was cancelled"
    dependencies.log(.grantNotWritten(account: grant.account, reason: reason))
  }

  func newLogin() -> String { Base64.encodeURL(dependencies.random(9)) }

  /// Marks a self-registered client that the server has rejected. The next sign-in registers another one.
  func forgetClient(_ client: Client, of account: String) async {
    // `save` logs a failure, and the next sign-in gets the same rejection.
    try? await locked(account) {
      guard var grant = try current(account), grant.isClientRegistered, !grant.isClientForgotten, grant.client.id == client.id
      else { return }
      grant.isClientForgotten = true
      grant.generation += 1
      try await save(grant)
    }
  }

  /// Returns the grant with the next generation number after the current grant, which it replaces.
  private func successor(_ grant: Grant) throws(OAuthFailure) -> SavedGrant {
    let stored = try replaceable(grant.account)
    let held = unsaved[.init(grant.account)]
    let previous = if let held, held.follows(stored) { held.grant } else { stored }
    var kept = grant
    kept.generation = (previous?.generation ?? 0) + 1
    if let previous { kept.takeOverRefreshToken(of: previous, at: dependencies.clock.now) }
    return SavedGrant(grant: kept, previous: previous)
  }

  /// Stores a grant if the account has none; returns nil and changes nothing otherwise. The lock ensures that only one of several callers succeeds.
  func keepFirst(_ grant: Grant) async throws -> Grant? {
    try await locked(grant.account) {
      guard try current(grant.account) == nil else { return nil }
      sweeps.removeValue(forKey: .init(grant.account))?.cancel()
      var kept = grant
      kept.login = newLogin()
      do {
        try await save(kept)
      } catch {
        // The client repeats an import that failed.
        unsaved[.init(grant.account)] = nil
        throw error
      }
      return kept
    }
  }

  /// Seconds between two tries to write a grant that a fault of the disk has kept in memory.
  private static let longestPause = 30
  /// A number larger than the generations that one refresh uses.
  private static let margin = 8

  /// Stores `better` in place of `old`, unless the account has other tokens by now: a concurrent refresh or sign-in wins.
  /// Returns whether the account has `better`.
  func replace(_ old: Grant, with better: Grant) async -> Bool {
    do {
      return try await locked(old.account) {
        guard try current(old.account)?.isSame(as: old) == true else { return false }
        try await save(better)
        return true
      }
    } catch {
      // `save` has logged the reason and holds the grant in memory.
      return unsaved[.init(old.account)]?.grant == better
    }
  }

  /// Returns the grant that a sign-in's grant replaces. A damaged one has been set aside and prevents no new one. A newer version's grant
  /// stays, and so
  /// does one that can be read later, such as one whose key is in a locked keyring.
  private func replaceable(_ account: String) throws(OAuthFailure) -> Grant? {
    do throws(OAuthFailure) {
      return try dependencies.store.read(account)
    } catch {
      if error.isOfNewerVersion || error.isRetryable { throw error }
      return nil
    }
  }
}

extension TokenRefresher {
  /// A grant that could not be written to disk.
  struct UnsavedGrant {
    var grant: Grant
    /// The stored grant at that time.
    var replaced: Grant?
    /// Whether there was a stored grant that could not be read at that time. The new grant replaces it, unless the account has been signed out since.
    var replacesUnreadable = false

    /// Whether the provider may reject the stored grant's refresh token, or what stands for one, because this grant's has replaced it.
    var hasRotated: Bool {
      guard let replaced else { return replacesUnreadable }
      guard grant.login == replaced.login else { return false }
      if (grant.refreshToken, grant.sessionHandle) != (replaced.refreshToken, replaced.sessionHandle) { return true }
      return grant.refreshToken == nil && grant.accessToken != replaced.accessToken
    }

    /// Whether the grant still replaces the stored one: the account has not been signed out or in since.
    /// A refresh of the stored grant does not count.
    func follows(_ stored: Grant?) -> Bool {
      guard let stored else { return replaced == nil && !replacesUnreadable }
      if replacesUnreadable { return true }
      guard grant.generation > stored.generation else { return false }
      guard let login = stored.login else { return true }
      return login == grant.login || login == replaced?.login
    }
  }
}
