extension Refreshes {
  /// Seconds that whoever forgets an account waits for its lock: it is held for as long as a server takes to answer.
  private static let forgettingPatience = 1

  /// Forgets the account at once, even while a refresh that nobody answers holds its lock: the refresh then finds nothing to replace.
  func forget(_ account: String) async throws {
    let key = AccountKey(account)
    let forgotten = try current(account)
    unsaved[key] = nil
    let isRefreshing = running[key] != nil
    let store = surroundings.store
    let lock = isRefreshing ? nil : try await within(Self.forgettingPatience) { try await store.lock(account) }
    defer { withExtendedLifetime(lock) {} }
    unsaved[key] = nil
    try await store.remove(account)
    guard lock == nil, let forgotten else { return }
    // What came just then, between a refresh's last look and its writing, is older than what was forgotten, however new its token.
    sweeps[key]?.cancel()
    sweeps[key] = Task {
      await removeAgain(account, after: forgotten)
      // One that was cancelled has been replaced or is not counted any more.
      if !Task.isCancelled { sweeps[key] = nil }
    }
  }

  /// Forgets the account for a caller that holds its lock.
  func forget(_ account: String, holding lock: GrantLock) async throws {
    defer { withExtendedLifetime(lock) {} }
    unsaved[AccountKey(account)] = nil
    try await surroundings.store.remove(account)
  }

  /// Removes what a refresh of the forgotten grant has stored since. The grant of a new sign-in stays.
  private func removeAgain(_ account: String, after forgotten: Grant) async {
    guard let lock = try? await surroundings.store.lock(account), !Task.isCancelled else { return }
    defer { withExtendedLifetime(lock) {} }
    guard let grant = try? current(account), grant.descends(from: forgotten) else { return }
    unsaved[.init(account)] = nil
    do {
      try await surroundings.store.remove(account)
    } catch {
      surroundings.tell(AccountEvent(account: account, cause: nil, fact: .failed(error.of(account))))
    }
  }

  /// Undoes `keep`: the grant that was there before is there again. A newer one, of another sign-in or process, stays.
  func takeBack(_ grant: Grant, for previous: Grant?) async throws {
    let lock = try await surroundings.store.lock(grant.account)
    defer { withExtendedLifetime(lock) {} }
    guard try current(grant.account)?.isSame(as: grant) == true else { return }
    unsaved[.init(grant.account)] = nil
    guard var previous else { return try await surroundings.store.remove(grant.account) }
    previous.generation = grant.generation + 1
    try await save(previous)
  }
}
