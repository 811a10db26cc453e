/// Storing what sign-ins bring.
extension Refreshes {
  /// A grant as it was stored, and the one that it replaced, both read under one lock.
  struct Kept: Sendable {
    var grant: Grant
    var previous: Grant?
  }

  /// Stores a grant that a sign-in brought in place of the present one, unless it is no longer wanted when the lock is free.
  func keep(_ grant: Grant, if isWanted: @Sendable () -> Bool = { true }) async throws -> Kept {
    let key = AccountKey(grant.account)
    var kept: Kept?
    do {
      let lock = try await surroundings.store.lock(grant.account)
      defer { withExtendedLifetime(lock) {} }
      guard isWanted() else { throw CancellationError() }
      sweeps.removeValue(forKey: key)?.cancel()
      let successor = try successor(grant)
      kept = successor
      try await save(successor.grant)
      return successor
    } catch {
      guard isWanted() else {
        // The disk did not take the grant, and memory must not keep what nobody wants.
        if let kept, unsaved[key] == kept.grant { unsaved[key] = kept.previous }
        throw CancellationError()
      }
      // The user has just signed in. A disk or a lock that fails must not cost the sign-in, nor may the stored grant count as newer.
      let held = (kept ?? (try? successor(grant)))?.grant ?? grant
      if unsaved[key] != held { remarkUnwritten(held, error) }
      unsaved[key] = held
      throw error
    }
  }

  /// The grant with the number after that of the present one, which it replaces.
  private func successor(_ grant: Grant) throws(OAuthFailure) -> Kept {
    let stored = try replaceable(grant.account)
    let held = unsaved[.init(grant.account)]
    let previous = if let held, held.generation > stored?.generation ?? 0 { held } else { stored }
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
    try await save(grant)
    return grant
  }

  /// Stores `better` in place of `old`; returns what the account has then. A refresh or a sign-in that came meanwhile wins.
  func replace(_ old: Grant, with better: Grant) async -> Grant {
    do {
      let lock = try await surroundings.store.lock(old.account)
      defer { withExtendedLifetime(lock) {} }
      guard try current(old.account)?.generation == old.generation else { return old }
      try await save(better)
    } catch {
      // `save` has logged why, and keeps the grant in memory.
      guard unsaved[.init(old.account)] == better else { return old }
    }
    return better
  }
}
