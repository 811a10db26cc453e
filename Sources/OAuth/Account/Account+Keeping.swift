import Jansson
import OAuthCore
import Platform
import Store

/// Storing the grants of sign-ins and imports.
extension Account {
  /// A number larger than the generations that one refresh uses.
  private static let margin = 8

  /// Stores a grant of a sign-in or import in place of the current one, unless `admit` throws once the lock is free.
  /// If the grant cannot be stored, `isHeld` says whether it stays in memory. A user has signed in for it; a client can repeat an import.
  func keep(
    _ grant: Grant, isHeld: Bool = true, if admit: (_ previous: Grant?) throws -> Void = { _ in }
  ) async throws -> SavedGrant {
    var new = grant
    new.login = newLogin()
    var isLocked = false
    do {
      return try await change { hold in
        let kept = successor(new, try hold.replaceable)
        isLocked = true
        try admit(kept.previous)
        let before = life.tokens
        do {
          try await hold.store(kept.grant)
        } catch {
          // `store` holds the grant in memory. It must not stay there if the client repeats the import or no request wants the grant any more.
          if !isHeld { lives.change(key) { $0.tokens = before } }
          do {
            try admit(kept.previous)
          } catch let rejection {
            lives.change(key) { $0.tokens = before }
            throw rejection
          }
          throw error
        }
        lives.change(key) { $0.endSweep() }
        return kept
      }
    } catch let error where !isLocked {
      // A lock that fails must not lose the sign-in, and the stored grant must not count as newer.
      let store = dependencies.store
      let disk = Result { () throws(OAuthFailure) in try store.read(name) }
      var held = (try? disk.get()).map { successor(new, $0) } ?? SavedGrant(grant: new)
      try admit(held.previous)
      guard isHeld else { throw error }
      // The process that holds the lock may still store a refreshed grant.
      held.grant.generation += Self.margin
      logUnwritten(held.grant, error)
      hold(held.grant, replacing: disk)
      throw error
    }
  }

  /// Returns the grant with the next generation number after the current grant, which it replaces.
  private func successor(_ grant: Grant, _ stored: Grant?) -> SavedGrant {
    let previous = overlay(stored)
    var kept = grant
    kept.generation = (previous?.generation ?? 0) + 1
    if let previous { kept.takeOverRefreshToken(of: previous, at: dependencies.clock.now) }
    return SavedGrant(grant: kept, previous: previous)
  }

  func newLogin() -> String { Base64.encodeURL(dependencies.random(9)) }

  /// Stores a grant if the account has none; returns nil and changes nothing otherwise. The lock ensures that only one of several callers succeeds.
  func keepFirst(_ grant: Grant) async throws -> Grant? {
    try await change { hold in
      guard try hold.grant == nil else { return nil }
      var kept = grant
      kept.login = newLogin()
      do {
        try await hold.store(kept)
      } catch {
        // The client repeats an import that failed.
        lives.change(key) { $0.tokens = .onDisk }
        throw error
      }
      lives.change(key) { $0.endSweep() }
      return kept
    }
  }

  /// Stores `better` in place of `old`, unless the account has other tokens by now: a concurrent refresh or sign-in wins.
  /// Returns whether the account has `better`.
  func replace(_ old: Grant, with better: Grant) async -> Bool {
    do {
      return try await change { hold in
        guard try hold.grant?.isSame(as: old) == true else { return false }
        try await hold.store(better)
        return true
      }
    } catch {
      // The reason is in the log, and memory holds the grant.
      return life.unsaved?.grant == better
    }
  }

  /// Marks a self-registered client that the server has rejected. The next sign-in registers another one.
  func forgetClient(_ client: Client) async {
    // A failure is logged, and the next sign-in gets the same rejection.
    try? await change { hold in
      guard var grant = try hold.grant, grant.isClientRegistered, !grant.isClientForgotten, grant.client.id == client.id else { return }
      grant.isClientForgotten = true
      grant.generation += 1
      try await hold.store(grant)
    }
  }

  /// Undoes `keep` by restoring the previous grant. A newer grant, of another sign-in or process, stays.
  func restore(_ kept: SavedGrant) async throws {
    try await change { hold in
      guard try hold.grant?.isSame(as: kept.grant) == true else { return }
      guard var previous = kept.previous else { return try await hold.remove(as: .removed) }
      lives.change(key) { $0.tokens = .onDisk }
      previous.generation = kept.grant.generation + 1
      try await hold.store(previous)
    }
  }
}
