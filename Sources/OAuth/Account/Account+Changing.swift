import OAuthCore
import Platform
import Store

/// The one way by which a grant changes.
extension Account {
  /// Does work while this task alone may change the account. Takes the account's turn in this process, then the lock that other processes see. Reads,
  /// and afterwards gives both back. If only memory has a rotated refresh token then, the lock stays with that.
  ///
  /// The body must not call another function that changes the account: it would wait for its own turn.
  /// `lock` is one that the caller has taken from an unsaved grant.
  func change<Value: Sendable>(
    forRefresh: Bool = false, with lock: GrantLock? = nil, _ body: (inout Hold) async throws -> Value
  ) async throws -> Value {
    let turn = try await takeTurn()
    defer {
      lives.change(key) { $0.endTurn() }
      turn.settle(.success(()))
    }
    let store = dependencies.store
    // The lock that an unsaved grant holds. It stays there, too.
    var lock = lock ?? life.unsaved?.lock
    if lock == nil { lock = try await forRefresh ? store.lockForRefresh(name) : store.lock(name) }
    defer {
      if let lock, lives.change(key, { [isClosed = lives.isClosed] in $0.retain(lock, isClosed: isClosed) }) { writeAgain() }
      // Before the turn ends. Its next holder takes the lock.
      lock = nil
    }
    let step = accounts.ledger.step
    var hold = Hold(account: self, disk: await read(), step: step)
    return try await body(&hold)
  }

  private func takeTurn() async throws -> Promise<Void> {
    let own = Promise<Void>()
    // A task that writes to a folder that hangs keeps its turn.
    let deadline = dependencies.clock.deadline(in: dependencies.store.longestChange)
    while let other = lives.change(key, { $0.takeTurn(own) }) {
      guard deadline.left > 0, try await dependencies.clock.withTimeout(deadline.left, { try await other.value() }) != nil else {
        throw OAuthFailure(
          .storageFailure, "another request of this process has been changing the account for \(deadline.seconds) s", isRetryable: true,
          account: name)
      }
    }
    return own
  }

  private func read() async -> Result<Grant?, OAuthFailure> {
    do throws(OAuthFailure) {
      return .success(try await dependencies.store.load(name)?.grant.described(by: dependencies.catalog))
    } catch {
      return .failure(error)
    }
  }

  /// An account that this task alone may change. Only `change` makes one, and only its methods write.
  struct Hold {
    fileprivate let account: Account
    /// What the disk has.
    fileprivate var disk: Result<Grant?, OAuthFailure>
    /// The ledger's step before it was read.
    fileprivate var step: Int

    /// The account's grant: memory's, if the disk did not take it.
    var grant: Grant? { get throws(OAuthFailure) { account.overlay(try disk.get()) } }

    /// What a new login replaces on the disk. A damaged grant has been set aside and prevents no new one. A newer version's grant stays, and so
    /// does one that can be read later, such as one whose key is in a locked keyring.
    var replaceable: Grant? {
      get throws(OAuthFailure) {
        do throws(OAuthFailure) { return try disk.get() } catch {
          if error.isOfNewerVersion || error.isRetryable { throw error }
          return nil
        }
      }
    }

    /// Reads again after the body has waited, and returns the account's grant. An unreadable file counts as `grant`: as unchanged for new tokens,
    /// which must not be lost with it.
    mutating func latest(after grant: Grant?) async -> Grant? {
      if account.life.isRemoved { return nil }
      await account.dependencies.store.prepare(account.name)
      let step = account.accounts.ledger.step
      let now = await account.read()
      guard case .success(let stored) = now else { return grant }
      (disk, self.step) = (now, step)
      return account.overlay(stored)
    }

    /// Stores the grant, and reports that. If the disk does not take it, memory holds it, and the failure is thrown.
    /// Throws `signInRequired` if the user signs out meanwhile. A new token from which nothing is lost is used all the same.
    mutating func store(_ grant: Grant, in reservation: GrantReservation? = nil, isToken: Bool = false) async throws {
      let (key, lives, ledger, store) = (account.key, account.lives, account.accounts.ledger, account.dependencies.store)
      let new = ChangeLedger.StoredState(grant)
      ledger.expect(account.name, new, replacing: seen)
      do throws(OAuthFailure) {
        if let reservation { try await reservation(grant) } else { try await store.write(grant) }
      } catch {
        ledger.record(account.name, new, failed: true)
        // What another machine has stored since is newer.
        if error.isSuperseded || account.life.isRemoved {
          account.logUnwritten(error)
          lives.change(key) { $0.wasStored(grant) }
        } else {
          account.hold(grant, replacing: disk, after: error)
        }
        if account.life.isRemoved { await undo() }
        if isToken, let unsaved = account.life.unsaved, unsaved.grant == grant, unsaved.needsNoStoring { return }
        throw error.of(account.name)
      }
      if account.life.isRemoved {
        await undo()
        ledger.record(account.name, new, failed: true)
        throw OAuthFailure.signInRequired(.noGrant, account: account.name)
      }
      lives.change(key) { $0.wasStored(grant) }
      (disk, step) = (.success(grant), ledger.step)
      ledger.record(account.name, new)
    }

    /// Removes what was written while the user signed out.
    private func undo() async {
      do throws(OAuthFailure) {
        try await account.dependencies.store.remove(account.name)
      } catch {
        account.emit(nil, .failed(error.of(account.name)))
      }
    }

    private var seen: ChangeLedger.Seen {
      switch disk {
      case .success(let grant): (.init(grant), step)
      case .failure: (nil, step)
      }
    }

    mutating func remove(as change: AccountEvent.Change) async throws(OAuthFailure) {
      account.lives.change(account.key) { $0.tokens = .onDisk }
      try await account.erase(as: change, replacing: seen)
      disk = .success(nil)
    }
  }

  /// Removes the grant from the disk, also without the lock, and reports that.
  func erase(as change: AccountEvent.Change, replacing seen: ChangeLedger.Seen) async throws(OAuthFailure) {
    let ledger = accounts.ledger
    ledger.expect(name, .noGrant, replacing: seen)
    do throws(OAuthFailure) {
      try await dependencies.store.remove(name)
    } catch {
      ledger.record(name, .noGrant, failed: true)
      throw error
    }
    lives.change(key) { $0.wasRemoved() }
    ledger.record(name, .noGrant, removal: change)
  }

  // MARK: Grants that the disk does not take

  /// Seconds between two tries to write a grant that only memory has after a fault of the disk.
  private static let longestPause = 30

  func hold(_ grant: Grant, replacing disk: Result<Grant?, OAuthFailure>, after error: any Error) {
    let unsaved =
      switch disk {
      case .success(let replaced): UnsavedGrant(grant: grant, replaced: replaced)
      case .failure(let failure): UnsavedGrant(grant: grant, replacesUnreadable: failure.isRetryable)
      }
    // Each use tries again, and the first one has said it.
    if life.unsaved?.needsNoStoring != unsaved.needsNoStoring { logUnwritten(error, isUsed: unsaved.needsNoStoring) }
    lives.change(key) { $0.tokens = .onlyHere(unsaved) }
  }

  func logUnwritten(_ error: any Error, isUsed: Bool = false) {
    let reason = (error as? OAuthFailure)?.message ?? "it was cancelled"
    dependencies.log(.grantNotWritten(account: name, reason: reason + (isUsed ? "; its token is used all the same" : "")))
  }

  /// Tries again to write a grant to disk. Throws nothing: the first failure was reported, and the caller can use the grant in memory.
  func saveAgain() async {
    // A running refresh writes it, unless the process is ending.
    guard life.refresh.running == nil || lives.isClosed else { return }
    // After a failure the grant stays in memory.
    try? await change { hold in
      guard let unsaved = life.unsaved else { return }
      let stored = try hold.replaceable
      guard unsaved.stillReplaces(stored) else {
        lives.change(key) { $0.tokens = .onDisk }
        return dependencies.log(.grantNotWritten(account: name, reason: "the account has been signed in or out since"))
      }
      var grant = unsaved.grant
      // Other processes take the larger number for the newer grant.
      if unsaved.replacesUnreadable, let stored { grant.generation = max(grant.generation, stored.generation + 1) }
      try await hold.store(grant)
    }
  }

  /// Writes a rotated refresh token in the background until the disk has it.
  private func writeAgain() {
    Task {
      var pause = 1
      while lives.change(key, { $0.writesAgain() }) {
        try? await dependencies.clock.sleep(seconds: pause)
        await saveAgain()
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }
}
