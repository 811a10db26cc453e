import OAuthCore
import Platform

/// Reading grants, and noticing their changes.
extension PostgresStore {
  /// Loads the key, and the account's row. The use of the account reports a failure.
  package func prepare(_ account: String?) async {
    guard let account else { return await local.prepare() }
    do throws(OAuthFailure) {
      try await load(account)
    } catch {
      // The cached grant may be out of date, so the failure replaces it.
      state.withLock { state in
        let version = state.rows[AccountKey(account)]?.version ?? 0
        state.rows[AccountKey(account)] = Row(version: version, content: .failure(error.of(account)))
      }
    }
  }

  /// Loads the key. Gets the one that other machines have used, if a command prints it and this machine has never used it.
  func prepareKey() async throws(OAuthFailure) {
    if FileStamp.ifAny(local.key.path) == nil, let identifier = try await usedKey() {
      try local.makeFolder()
      // Another process of this machine may have created it meanwhile.
      if FileStamp.ifAny(local.key.path) == nil {
        guard try await local.key.adopt(identifier) else { throw PostgresFailure.otherKey(local.key.path) }
      }
    }
    await local.prepare()
  }

  /// Reads what the key opens. Reads it again if another process of this machine has created the key meanwhile.
  private func withKey<Value: Sendable>(
    _ read: @escaping @Sendable (PostgresTable.Session) throws -> Value
  ) async throws(OAuthFailure) -> Value {
    try await prepareKey()
    let stamps = local.key.stamps
    let value = try await perform(read)
    if stamps == local.key.stamps { return value }
    try await prepareKey()
    return try await perform(read)
  }

  /// Returns the identifier of the key that seals the table's grants; nil before the first.
  func usedKey() async throws(OAuthFailure) -> String? {
    try await perform { try $0.run(PostgresTable.keyIdentifier).first?[0] }
      .flatMap(Hexadecimal.decode).map { String(decoding: $0, as: UTF8.self) }
  }

  func load(_ account: String) async throws(OAuthFailure) { try await withKey { [self] in try load(account, $0) } }

  /// Reads the account's row. On the queue, so that the order of reads and writes is that of the database.
  func load(_ account: String, _ session: PostgresTable.Session) throws {
    let cached = state.withLock { $0.rows[AccountKey(account)] }
    let hasContent = if case .success? = cached?.content { true } else { false }
    let rows = try session.run(PostgresTable.select, .account(account), .text(hasContent ? "\(cached?.version ?? 0)" : "-1"))
    guard let row = rows.first, let version = row[0].flatMap({ Int64($0) }) else { return cache(Row(), account) }
    guard row[2] == "t" else { return cache(Row(version: version), account) }
    // The same version is not sent again.
    guard let text = row[1] else { return }
    cache(Row(version: version, content: opened(text, account)), account)
  }

  func cache(_ row: Row, _ account: String) { state.withLock { $0.rows[AccountKey(account)] = row } }

  func row(of account: String) -> Row { state.withLock { $0.rows[AccountKey(account)] } ?? Row() }

  /// Opens a sealed grant, in hexadecimal.
  private func opened(_ text: String, _ account: String) -> Result<StoredGrant?, OAuthFailure> {
    do {
      guard let bytes = Hexadecimal.decode(text) else { throw SealedGrant.Fault.damaged }
      guard FileStamp.ifAny(local.key.path) != nil else { throw PostgresFailure.otherKey(local.key.path) }
      let stored = try local.opened(bytes, with: try local.key.keys())
      guard AccountKey(stored.grant.account) == AccountKey(account) else { throw SealedGrant.Fault.damaged }
      return .success(stored)
    } catch SealedGrant.Fault.otherKey {
      return .failure(PostgresFailure.otherKey(local.key.path).of(account))
    } catch SealedGrant.Fault.newer {
      return .failure(PostgresFailure.newerGrant(account))
    } catch let failure as OAuthFailure {
      return .failure(failure.of(account))
    } catch {
      return .failure(PostgresFailure.damaged(account))
    }
  }

  package func find(_ account: String) throws(OAuthFailure) -> StoredGrant? {
    if state.withLock({ $0.rows[AccountKey(account)] }) == nil {
      // Every request loads its account first. One whose account was found out later waits for the database here.
      try reload(account)
    }
    return try row(of: account).content.get()
  }

  /// Reads the account's row on the queue, and waits for it.
  func reload(_ account: String) throws(OAuthFailure) { try queue.sync { performNow { try self.load(account, $0) } }.get() }

  package func list() async throws(OAuthFailure) -> [ListedAccount] {
    try await withKey { [self] session in
      let present = try session.run(PostgresTable.versions).map { (name: $0[0] ?? "", version: $0[1].flatMap { Int64($0) }) }
      let rows = try rows(of: present, session)
      state.withLock { $0.listed = rows }
      return present.compactMap { listed(PostgresTable.account($0.name), rows[AccountKey($0.name)]) }
    }
  }

  /// Returns the rows with these versions. A thousand grants are neither sent nor opened again if the last listing had them.
  private func rows(of present: [(name: String, version: Int64?)], _ session: PostgresTable.Session) throws -> [AccountKey: Row] {
    let last = state.withLock(\.listed)
    var rows = [AccountKey: Row](minimumCapacity: present.count)
    var changed: [String] = []
    for (name, version) in present {
      let key = AccountKey(name)
      if let row = last[key], row.version == version, case .success = row.content { rows[key] = row } else { changed.append(name) }
    }
    if changed.isEmpty { return rows }
    for row in try session.run(PostgresTable.grants, .names(changed)) {
      let content = opened(row[2] ?? "", PostgresTable.account(row[0] ?? ""))
      rows[AccountKey(row[0] ?? "")] = Row(version: row[1].flatMap { Int64($0) } ?? 0, content: content)
    }
    return rows
  }

  /// Returns nil if the grant was removed between the two statements.
  private func listed(_ account: String, _ row: Row?) -> ListedAccount? {
    switch row?.content {
    case nil: return nil
    case .success(let stored): return stored.map { ListedAccount($0, usedAt: local.lastUse(of: account)) }
    case .failure(let failure): return ListedAccount(account: account, problem: failure)
    }
  }

  package func keyIdentifier() async throws(OAuthFailure) -> String? {
    if let used = try await usedKey() { return used }
    return try await local.keyIdentifier()
  }

  /// In seconds: the first pause before another connection is tried, and the longest.
  private static let pauses: (first: UInt32, longest: UInt32) = (1, 60)

  /// Listens on a connection of its own. Reports nil when it begins to listen, because the changes before are not announced.
  package func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) {
    Thread.start { [weak self] in
      var failures: UInt32 = 0
      while let self {
        failures = self.listen(onChange, after: failures)
        sleep(Self.pause(after: failures))
      }
    }
  }

  /// Doubles with each failure in a row, up to the longest pause.
  private static func pause(after failures: UInt32) -> UInt32 { min(pauses.first << min(failures - 1, 6), pauses.longest) }

  /// Listens until the connection breaks. Takes and returns the number of failures in a row, of which the first is logged.
  private func listen(_ onChange: (_ account: String?) -> Void, after failures: UInt32) -> UInt32 {
    var failures = failures
    do throws(PostgresConnection.Fault) {
      let connection = try openAnother()
      try PostgresTable.Session(connection: connection).run("LISTEN \(PostgresTable.channel)")
      failures = 0
      onChange(nil)
      while true { onChange(PostgresTable.account(try connection.wait())) }
    } catch {
      failures += 1
      if failures == 1 { log?.take(.storeNotWatched(PostgresFailure.from(error).message)) }
      return failures
    }
  }

  /// Reads the row again. Waits for the database.
  package func examine(_ account: String) throws(OAuthFailure) -> StoredGrant? {
    try reload(account)
    return try row(of: account).content.get()
  }

  // MARK: Uses, which each machine remembers by itself

  package func wasUsed(_ account: String) { local.wasUsed(account) }
  package func lastUse(of account: String) -> Int? { local.lastUse(of: account) }
}
