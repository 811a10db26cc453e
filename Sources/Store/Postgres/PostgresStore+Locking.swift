import OAuthCore
import Platform

/// Locks that other machines see. They end by lease, so that a suspended machine or a restarted server costs time and no login.
extension PostgresStore {
  /// The longest pause between two attempts, in milliseconds.
  private static let longestPause = 500

  /// A lock of this process.
  struct Held: Sendable {
    var holder: String
    /// Whether a refresh was announced and its result could not be stored. Others then wait for it, although the lock is free.
    var hasUnwrittenResult = false
  }

  /// What the row says when the lock is taken. `refreshAge` is in milliseconds since a refresh was announced.
  private typealias Taken = (refreshHolder: String?, refreshAge: Int?)

  package var longestChange: Int { RefreshTimes.databaseLock + RefreshTimes.lease + RefreshTimes.write }

  package func lock(_ account: String) async throws -> GrantLock {
    let holder = "\(owner)/\(UInt32.random(in: 0 ... .max))"
    state.withLock { _ = $0.live.insert(holder) }
    do {
      try await take(account, holder)
    } catch {
      // The lock may have been taken by an attempt whose answer was lost.
      release(account, holder)
      throw error
    }
    let lock = GrantLock { [self] in release(account, holder) }
    state.withLock { $0.locks[AccountKey(account)] = Held(holder: holder) }
    do throws(OAuthFailure) { try await load(account) } catch { throw error.of(account) }
    return lock
  }

  /// Waits for the lock and takes it.
  private func take(_ account: String, _ holder: String) async throws {
    let start = clock.uptime()
    var pause = 10
    var dead = ""
    while true {
      let (taken, other) = try await attempt(account, holder, takingOver: dead)
      if taken != nil { break }
      guard clock.uptime() - start < RefreshTimes.databaseLock * 1000 else { throw PostgresFailure.lockHeld(other).of(account) }
      if let other, let found = Holder(other), dead != other, isAbandoned(other, found) {
        dead = other
        continue
      }
      try await clock.sleep(milliseconds: pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  package func lockForRefresh(_ account: String) async throws -> GrantLock {
    let lock = try await lock(account)
    guard let holder = state.withLock({ $0.locks[AccountKey(account)]?.holder }) else { return lock }
    var isLogged = false
    while true {
      // Also renews the lease.
      guard let taken = try await attempt(account, holder, takingOver: "").0 else { throw PostgresFailure.superseded(account) }
      guard let other = taken.refreshHolder, let age = taken.refreshAge, let found = Holder(other), found.owner != owner,
        !found.isDead, age < RefreshTimes.lease * 1000
      else { break }
      let rest = "the process waits at most \(RefreshTimes.lease * 1000 - age) ms for it"
      if !isLogged { log?.take(.init(.info, "another machine has announced a refresh of \(account) and stored no result; \(rest)")) }
      isLogged = true
      try await clock.sleep(milliseconds: min(1000, RefreshTimes.lease * 1000 - age + 10))
    }
    // Its result may have arrived.
    if isLogged { try await load(account) }
    return lock
  }

  /// Whether no process releases the lock before its lease ends: its holder is dead, or the database was out of reach when this process released it.
  private func isAbandoned(_ holder: String, _ found: Holder) -> Bool {
    guard found.owner == owner else { return found.isDead }
    return !state.withLock { $0.live.contains(holder) }
  }

  /// Tries to take the lock once. Returns what the row says, or who holds it.
  private func attempt(
    _ account: String, _ holder: String, takingOver dead: String
  ) async throws(OAuthFailure) -> (Taken?, holder: String?) {
    do throws(OAuthFailure) {
      return try await perform { session in
        let rows = try session.run(PostgresTable.lock, .account(account), .text(holder), .text(dead), .text("\(RefreshTimes.lease)"))
        if let row = rows.first { return ((row[0], row[1].flatMap { Int($0) }), nil) }
        return (nil, try session.run(PostgresTable.holder, .account(account)).first?[0])
      }
    } catch {
      throw error.of(account)
    }
  }

  private func release(_ account: String, _ holder: String) {
    let held = state.withLock { state in
      state.live.remove(holder)
      return state.locks[AccountKey(account)]?.holder == holder ? state.locks.removeValue(forKey: AccountKey(account)) : nil
    }
    let hasEnded = held?.hasUnwrittenResult != true
    start { session in
      let rows = try session.run(PostgresTable.unlock, .account(account), .text(holder), .text(hasEnded ? "t" : "f"))
      if rows.first?[0] == "t" { try session.run(PostgresTable.clean, .account(account)) }
    }
  }

  /// Announces the refresh to the other machines, before it is sent.
  package func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation {
    let account = grant.account
    let key = try await writingKey()
    guard let holder = state.withLock({ $0.locks[AccountKey(account)]?.holder }) else { throw PostgresFailure.superseded(account) }
    let announced = try await perform { session in
      try session.run(PostgresTable.announceRefresh, .account(account), .text(holder), .text("\(RefreshTimes.lease)"))
    }
    guard !announced.isEmpty else { throw PostgresFailure.superseded(account) }
    return { [self] fresh async throws(OAuthFailure) in
      do throws(OAuthFailure) {
        try await write(fresh, with: key)
      } catch {
        if !error.isSuperseded { state.withLock { $0.locks[AccountKey(account)]?.hasUnwrittenResult = true } }
        throw error
      }
    }
  }

  /// A process that holds locks in the database: its machine, its identifier, a random part, and one of the lock.
  struct Holder {
    let machine: String
    let process: pid_t
    /// The process and its random part. It does not change during the process.
    let owner: String

    /// Reads `MACHINE/PID/RANDOM/NUMBER`; nil for another text.
    init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 4, let process = pid_t(parts[1]) else { return nil }
      (machine, self.process) = (String(parts[0]), process)
      owner = parts.dropLast().joined(separator: "/")
    }

    /// Whether the process runs, or ran, on this machine.
    var isHere: Bool { machine == MachineIdentity.current }

    /// Whether the process ran on this machine and has ended. It then stores nothing any more.
    var isDead: Bool { isHere && MachineIdentity.isDead(process) }
  }
}
