import OAuthCore
import Platform
import Store

extension TokenRefresher {
  /// Seconds to wait for the account's lock; after that the account is forgotten without it. A refresh holds the lock until the server answers.
  private static let lockTimeoutSeconds = 1

  /// Forgets the account at once, even if an unanswered refresh holds its lock. That refresh then finds no grant to replace.
  func forget(_ account: String) async throws {
    let key = AccountKey(account)
    let forgotten = try current(account)
    unsaved[key] = nil
    let isRefreshing = refreshing.running(key) != nil
    let store = dependencies.store
    let lock = isRefreshing ? nil : try await dependencies.clock.withTimeout(Self.lockTimeoutSeconds) { try await store.lock(account) }
    defer { withExtendedLifetime(lock) {} }
    unsaved[key] = nil
    try await remove(account, as: .signedOut)
    guard lock == nil, let forgotten else { return }
    // A refresh may write its grant just after its last check.
    // That grant continues the forgotten login, however new its token, and is removed again.
    sweeps[key]?.cancel()
    sweeps[key] = Task {
      await removeAgain(account, after: forgotten)
      // A cancelled task has been replaced or is no longer counted.
      if !Task.isCancelled { sweeps[key] = nil }
    }
  }

  /// Forgets the account after `revoke` has revoked its tokens. The lock is taken first: tokens that another process has just received are then
  /// revoked, too.
  func revoking(_ account: String, _ revoke: @Sendable (Grant?) async throws -> Revocation) async throws -> Revocation {
    try await locked(account) {
      let revocation = try await revoke(try current(account))
      unsaved[AccountKey(account)] = nil
      try await remove(account, as: .revoked)
      return revocation
    }
  }

  private func remove(_ account: String, as change: AccountEvent.Change) async throws(OAuthFailure) {
    changes.begin(account)
    do throws(OAuthFailure) {
      try await dependencies.store.remove(account)
      failedLookUps[.init(account)] = nil
      changes.end(account, .removed(change))
    } catch {
      changes.end(account, .failed)
      throw error
    }
  }

  /// Removes what a refresh of the forgotten grant has stored since. The grant of a new sign-in stays.
  private func removeAgain(_ account: String, after forgotten: Grant) async {
    try? await locked(account) {
      guard !Task.isCancelled, let grant = try current(account), grant.descends(from: forgotten) else { return }
      unsaved[.init(account)] = nil
      do throws(OAuthFailure) {
        try await remove(account, as: .signedOut)
      } catch {
        dependencies.emit(AccountEvent(account: account, requestID: nil, kind: .failed(error.of(account))))
      }
    }
  }

  /// Undoes `keep` by restoring the previous grant. A newer grant, of another sign-in or process, stays.
  func restore(_ grant: Grant, for previous: Grant?) async throws {
    try await locked(grant.account) {
      guard try current(grant.account)?.isSame(as: grant) == true else { return }
      unsaved[.init(grant.account)] = nil
      guard var previous else { return try await remove(grant.account, as: .removed) }
      previous.generation = grant.generation + 1
      try await save(previous)
    }
  }
}

/// Work that has to finish before the process ends.
extension TokenRefresher {
  /// Seconds that the process waits at its end for second removals, which wait for other processes.
  private static let sweepTimeoutSeconds = 10

  /// Whether no work is running or still to be written. The process can then end without calling this actor.
  nonisolated var isIdle: Bool { refreshing.isEmpty && !hasWork.load(ordering: .acquiring) }

  func recordWork() { hasWork.store(!unsaved.isEmpty || !sweeps.isEmpty, ordering: .releasing) }

  private func finishAll() async {
    for account in sending.keys { _ = try? await refreshing.running(account)?.value() }
    for account in unsaved.values.map(\.grant.account) { await saveAgain(account) }
  }

  private func finishSweeps() async {
    for sweep in sweeps.values {
      await withTaskCancellationHandler {
        await sweep.value
      } onCancel: {
        sweep.cancel()
      }
    }
  }

  /// Waits for refreshes that may have been sent, and for grants that are still to be written. With `isLast` no further refresh is sent.
  func finish(within seconds: Int, isLast: Bool) async {
    isClosed = isClosed || isLast
    guard !sending.isEmpty || !unsaved.isEmpty || !sweeps.isEmpty else { return }
    _ = try? await dependencies.clock.withTimeout(seconds) { await self.finishAll() }
    _ = try? await dependencies.clock.withTimeout(min(seconds, Self.sweepTimeoutSeconds)) { await self.finishSweeps() }
  }
}
