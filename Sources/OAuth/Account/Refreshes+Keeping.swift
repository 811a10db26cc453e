/// Storing what sign-ins bring.
extension Refreshes {
  /// A grant as it was stored, and the one that it replaced, both read under one lock.
  struct Kept: Sendable {
    var grant: Grant
    var previous: Grant?
  }

  /// Stores a grant that a sign-in or an import brought in place of the present one, unless `admit` throws when the lock is free. If the grant can't be
  /// stored, `isHeld` says whether it stays in memory: a user has signed in for it, while a client can repeat an import.
  func keep(
    _ grant: Grant, isHeld: Bool = true, if admit: @Sendable (_ previous: Grant?) throws -> Void = { _ in }
  ) async throws -> Kept {
    let key = AccountKey(grant.account)
    var new = grant
    new.login = newLogin()
    let lock: GrantLock
    let kept: Kept
    do {
      lock = try await surroundings.store.lock(grant.account)
      kept = try successor(new)
    } catch {
      // A lock that fails must not cost the sign-in, nor may the stored grant count as newer.
      var held = (try? successor(new)) ?? Kept(grant: new)
      try admit(held.previous)
      guard isHeld else { throw error }
      // The process that has the lock may yet store a refreshed grant.
      held.grant.generation += Self.margin
      remarkUnwritten(held.grant, error)
      hold(held.grant)
      throw error
    }
    defer { withExtendedLifetime(lock) {} }
    try admit(kept.previous)
    sweeps.removeValue(forKey: key)?.cancel()
    let before = unsaved[key]
    do {
      try await save(kept.grant)
    } catch {
      // `save` holds the grant in memory, which must not keep what the client repeats or no request wants any more.
      if !isHeld { unsaved[key] = before }
      do {
        try admit(kept.previous)
      } catch let refusal {
        unsaved[key] = before
        throw refusal
      }
      throw error
    }
    return kept
  }

  func newLogin() -> String { Base64.encodeURL(surroundings.random(9)) }

  /// The server has rejected a client that registered itself, so the next sign-in registers another one.
  func forgetClient(_ client: Client, of account: String) async {
    guard let lock = try? await surroundings.store.lock(account) else { return }
    defer { withExtendedLifetime(lock) {} }
    guard var grant = try? current(account), grant.isClientRegistered, !grant.isClientForgotten, grant.client.id == client.id
    else { return }
    grant.isClientForgotten = true
    grant.generation += 1
    // A failure is logged there, and the next sign-in meets the same rejection.
    try? await save(grant)
  }

  /// The grant with the number after that of the present one, which it replaces.
  private func successor(_ grant: Grant) throws(OAuthFailure) -> Kept {
    let stored = try replaceable(grant.account)
    let held = unsaved[.init(grant.account)]
    let previous = if let held, held.follows(stored) { held.grant } else { stored }
    var kept = grant
    kept.generation = (previous?.generation ?? 0) + 1
    if let previous { kept.takeOverRefreshToken(of: previous, at: surroundings.clock()) }
    return Kept(grant: kept, previous: previous)
  }

  /// Keeps a grant where there is none; nil where there is one, which stays as it is. Decided under the lock, so that of several only one is kept.
  func keepFirst(_ grant: Grant) async throws -> Grant? {
    let lock = try await surroundings.store.lock(grant.account)
    defer { withExtendedLifetime(lock) {} }
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

  /// More numbers than one refresh uses up.
  private static let margin = 8

  /// Stores `better` in place of `old`, unless the account has other tokens by now: a refresh or a sign-in that came meanwhile wins. Returns whether
  /// the account has `better`.
  func replace(_ old: Grant, with better: Grant) async -> Bool {
    do {
      let lock = try await surroundings.store.lock(old.account)
      defer { withExtendedLifetime(lock) {} }
      guard try current(old.account)?.isSame(as: old) == true else { return false }
      try await save(better)
      return true
    } catch {
      // `save` has logged why, and keeps the grant in memory.
      return unsaved[.init(old.account)]?.grant == better
    }
  }
}

/// A grant that the disk would not take.
struct UnsavedGrant {
  var grant: Grant
  /// What the disk had then.
  var replaced: Grant?

  /// Whether it still replaces what the disk has now: nothing has signed the account out or in since. A refresh of what was there doesn't count.
  func follows(_ stored: Grant?) -> Bool {
    guard let stored else { return replaced == nil }
    guard grant.generation > stored.generation else { return false }
    guard let login = stored.login else { return true }
    return login == grant.login || login == replaced?.login
  }
}

extension Grant {
  /// Whether nothing has happened to this grant since it was `other`. Numbers alone don't tell: they begin at 1 again after a sign-out.
  func isSame(as other: Grant) -> Bool {
    generation == other.generation && accessToken == other.accessToken && refreshToken == other.refreshToken
      && sessionHandle == other.sessionHandle
  }

  /// Whether refreshes of `other` alone have led to this grant. Earlier versions store no login; their numbers have to do.
  func descends(from other: Grant) -> Bool {
    if let login, let earlier = other.login, login != earlier { return false }
    return generation > other.generation
  }
}
