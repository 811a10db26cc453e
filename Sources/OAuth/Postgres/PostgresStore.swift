import Dispatch
import OAuthCore
import Platform
import Synchronization

/// Stores the grants in a PostgreSQL database, which several machines can share. The database sees only sealed grants.
///
/// The key is where a folder's key would be: in a file of this machine that the user copies, or where a command gets it.
/// All statements use one connection, one after another on a thread of their own.
package final class PostgresStore: AccountStore {
  /// Seconds that each host of the URI gets to answer, unless the user has set another limit.
  private static let connectPatience = 5
  /// In milliseconds. A server that is restarted or fails over usually answers again by then.
  static let writePatience = 25_000

  private struct State {
    var connection: PostgresConnection?
    /// What was last read or written of each account.
    var rows: [AccountKey: Row] = [:]
    /// The summaries that the next listing need not read again.
    var listed: [AccountKey: (version: Int64, summary: AccountSummary.Listed)] = [:]
    /// The identifier of the key that is known to be the table's.
    var keyIdentifier: String?
  }

  /// What is known of an account's row.
  struct Row: Sendable {
    /// 0 if there is no row, or an empty one that only holds a lock.
    var version: Int64 = 0
    var content: Result<StoredGrant?, OAuthFailure> = .success(nil)
  }

  private let uri: String
  /// The folder of this machine's key and of the locks for browser pages.
  let local: FileStore
  let clock: Clock
  let random: @Sendable (Int) -> [UInt8]
  let log: @Sendable (LogMessage) -> Void
  /// Identifies this process in the database.
  let owner: String
  /// Serial, because such a queue has its own thread, which may block.
  private let lane = DispatchQueue(label: "postgresql")
  private let state = Mutex(State())
  /// The lock that this process holds for each account.
  let locks = Mutex<[AccountKey: Held]>([:])
  /// The locks that this process holds or tries to take. The database may still name others that could not be released.
  let live = Mutex<Set<String>>([])
  /// Counts the locks that are being released.
  let releasing = DispatchGroup()
  let lockNumber = Atomic<Int>(0)

  /// `local` has the key. Throws for a URI that libpq cannot read.
  package init(
    uri: String, local: FileStore, clock: Clock, random: @escaping @Sendable (Int) -> [UInt8],
    log: @escaping @Sendable (LogMessage) -> Void = { _ in }
  ) throws(OAuthFailure) {
    let isReadable: Bool
    do throws(PostgresConnection.Fault) { isReadable = try PostgresConnection.isReadable(uri) } catch { throw PostgresFailure.from(error) }
    guard isReadable else { throw PostgresFailure.unreadableURI }
    (self.uri, self.local, self.clock, self.random, self.log) = (uri, local, clock, random, log)
    owner = "\(MachineIdentity.current)/\(getpid())/\(Base64.encodeURL(random(6)))"
  }

  /// Whether `--store` names a database.
  package static func isURI(_ text: String) -> Bool { ["postgresql://", "postgres://"].contains { text.hasPrefix($0) } }

  /// Returns the URI as a message may show it. A password can stand before the host or in the parameters, which may be encoded or misspelled.
  package static func withoutPassword(_ uri: String) -> String {
    guard let end = uri.firstRange(of: "://")?.upperBound else { return uri }
    let rest = uri[end...]
    let user = rest.lastIndex(of: "@").map { rest[..<$0] } ?? ""
    let (place, query) = (rest.prefix { $0 != "?" }, rest.drop { $0 != "?" }.dropFirst())
    // The name of an application is free text.
    let parameters = query.split(separator: "&").filter { !$0.hasPrefix("application_name=") }
    let hasSecret = parameters.contains { parameter in
      guard let text = PercentEncoding.decode(String(parameter))?.lowercased() else { return true }
      return ["password", "secret", "scram_"].contains { text.contains($0) }
    }
    return user.contains(":") || hasSecret || place.lowercased().contains("password=") ? uri[..<end] + "…" : uri
  }

  /// The key that several machines share stays where it is.
  package func rekey(to source: KeySource) async throws -> Int { throw PostgresFailure.noRekey }

  // MARK: Statements

  /// Runs statements on the connection, and opens one if there is none. Statements are repeated on a new connection if an idle one was broken, so they
  /// must allow that.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws(OAuthFailure) -> Value {
    let result: Result<Value, OAuthFailure> = await withCheckedContinuation { continuation in
      lane.async { continuation.resume(returning: self.performNow(work)) }
    }
    return try result.get()
  }

  /// The same, on the lane.
  private func performNow<Value>(_ work: (PostgresConnection) throws -> Value) -> Result<Value, OAuthFailure> {
    let known = state.withLock(\.connection)
    do {
      return .success(try work(try known ?? open()))
    } catch let fault as PostgresConnection.Fault where fault.endsConnection {
      state.withLock { $0.connection = nil }
      guard known != nil else { return .failure(PostgresFailure.from(fault)) }
      return performNow(work)
    } catch {
      return .failure(PostgresFailure.from(error))
    }
  }

  private func open() throws -> PostgresConnection {
    let connection = try PostgresConnection(uri, seconds: Self.connectPatience)
    try PostgresTable.prepare(connection)
    state.withLock { $0.connection = connection }
    return connection
  }

  /// Opens another connection, for notifications.
  func openAnother() throws(PostgresConnection.Fault) -> PostgresConnection {
    try PostgresConnection(uri, seconds: Self.connectPatience)
  }

  /// Waits at most a second each, at the end of the process, for locks that are being released and for files that are being written.
  package func finish() {
    _ = releasing.wait(timeout: .now() + .seconds(1))
    local.finish()
  }

  /// Runs work on the lane that no task waits for.
  func start(_ work: @escaping @Sendable (PostgresConnection) throws -> Void) {
    releasing.enter()
    lane.async { [self] in
      // A lock that cannot be released ends with its lease.
      _ = performNow(work)
      releasing.leave()
    }
  }

  // MARK: Reading

  /// Loads the key, and the account's row. The use of the account reports a failure.
  package func prepare(_ account: String?) async {
    await local.prepare()
    guard let account else { return }
    do throws(OAuthFailure) {
      try await adoptKey()
      try await load(account)
    } catch {
      // Only what the database itself has said is known; without it, nothing is.
      state.withLock { state in
        let version = state.rows[AccountKey(account)]?.version ?? 0
        state.rows[AccountKey(account)] = Row(version: version, content: .failure(error.of(account)))
      }
    }
  }

  /// Gets the key that other machines have used, if a command prints it and this machine has never used it.
  private func adoptKey() async throws(OAuthFailure) {
    guard FileStamp.ifAny(local.key.path) == nil, let identifier = try await usedKey() else { return }
    try local.makeFolder()
    // Another process of this machine may have created it meanwhile.
    if FileStamp.ifAny(local.key.path) != nil { return }
    guard try await local.key.adopt(identifier) else { throw PostgresFailure.otherKey(local.key.path) }
    await local.prepare()
  }

  /// Returns the identifier of the key that seals the table's grants; nil before the first.
  private func usedKey() async throws(OAuthFailure) -> String? {
    try await perform { try PostgresTable.run(PostgresTable.keyIdentifier, [], $0).first?[0] }
      .flatMap(Self.bytes).map { String(decoding: $0, as: UTF8.self) }
  }

  func load(_ account: String) async throws(OAuthFailure) {
    try await perform { [self] in try load(account, $0) }
  }

  /// Reads the account's row. On the lane, so that the order of reads and writes is that of the database.
  func load(_ account: String, _ connection: PostgresConnection) throws {
    let known = state.withLock { $0.rows[AccountKey(account)] }
    let isKnown = if case .success? = known?.content { true } else { false }
    let rows = try PostgresTable.run(
      PostgresTable.select, [.text(PostgresTable.encoded(account)), .text(isKnown ? "\(known?.version ?? 0)" : "-1")], connection)
    guard let row = rows.first, let version = row[0].flatMap({ Int64($0) }) else { return keep(Row(), account) }
    guard row[2] == "t" else { return keep(Row(version: version), account) }
    // The same version is not sent again.
    guard let text = row[1] else { return }
    keep(Row(version: version, content: opened(text, account)), account)
  }

  private func keep(_ row: Row, _ account: String) { state.withLock { $0.rows[AccountKey(account)] = row } }

  func row(of account: String) -> Row { state.withLock { $0.rows[AccountKey(account)] } ?? Row() }

  /// Opens a sealed grant, in hexadecimal.
  private func opened(_ text: String, _ account: String) -> Result<StoredGrant?, OAuthFailure> {
    do {
      guard let bytes = Self.bytes(text) else { throw SealedGrant.Fault.damaged }
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

  private static func bytes(_ hexadecimal: String) -> [UInt8]? {
    let digits = Array(hexadecimal.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    func value(_ digit: UInt8) -> UInt8 { digit <= 0x39 ? digit &- 0x30 : (digit | 0x20) &- 0x57 }
    return stride(from: 0, to: digits.count, by: 2).map { value(digits[$0]) << 4 | value(digits[$0 + 1]) }
  }

  package func find(_ account: String) throws(OAuthFailure) -> StoredGrant? {
    if state.withLock({ $0.rows[AccountKey(account)] }) == nil {
      // Every request loads its account first. One whose account was found out later waits for the database here.
      try reload(account)
    }
    return try row(of: account).content.get()
  }

  /// Reads the account's row on the lane, and waits for it.
  func reload(_ account: String) throws(OAuthFailure) {
    try lane.sync { performNow { try self.load(account, $0) } }.get()
  }

  package func list() async throws(OAuthFailure) -> [AccountSummary.Listed] {
    await local.prepare()
    try await adoptKey()
    return try await perform { [self] connection in
      let known = state.withLock(\.listed)
      let rows = try PostgresTable.run(PostgresTable.versions, [], connection)
      let fresh = rows.filter { row in known[AccountKey(PostgresTable.account(row[0] ?? ""))].map { "\($0.version)" } != row[1] }
      var listed = known
      if fresh.count > Self.fewRows {
        for row in try PostgresTable.run(PostgresTable.grants, [], connection) { add(row[0], row[1], row[2], to: &listed) }
      } else {
        for row in fresh {
          let found = try PostgresTable.run(PostgresTable.select, [.text(row[0] ?? ""), .text("-1")], connection).first
          if let found { add(row[0], found[0], found[1], to: &listed) }
        }
      }
      let names = Set(rows.map { AccountKey(PostgresTable.account($0[0] ?? "")) })
      listed = listed.filter { names.contains($0.key) }
      state.withLock { [listed] in $0.listed = listed }
      return listed.values.map { known in
        var found = known.summary
        found.usedAt = local.lastUse(of: found.account)
        return found
      }.sorted { $0.account < $1.account }
    }
  }

  /// So many grants are read one by one, and more of them all at once.
  private static let fewRows = 50

  private func add(
    _ account: String?, _ version: String?, _ text: String?, to listed: inout [AccountKey: (version: Int64, summary: AccountSummary.Listed)]
  ) {
    guard let account = account.map(PostgresTable.account), let version = version.flatMap({ Int64($0) }), let text else { return }
    switch opened(text, account) {
    case .success(let stored?): listed[AccountKey(account)] = (version, AccountSummary.Listed(stored.summary, usedAt: nil))
    case .success(nil): break
    case .failure(let failure): listed[AccountKey(account)] = (-1, AccountSummary.Listed(account: account, problem: failure))
    }
  }

  package func keyIdentifier() async throws(OAuthFailure) -> String? {
    if let used = try await usedKey() { return used }
    return try await local.keyIdentifier()
  }

  // MARK: Writing

  package func makeReady() async throws(OAuthFailure) {
    _ = try await writingKey()
    let isWritable = try await perform { try PostgresTable.run(PostgresTable.isWritable, [], $0).first }
    guard isWritable?[0] == "t" else { throw PostgresFailure.from(PostgresConnection.Fault.rejected(state: "25006", "")) }
    guard isWritable?[1] == "t" else { throw PostgresFailure.noPrivileges }
  }

  package func write(_ grant: Grant) async throws(OAuthFailure) { try await write(grant, with: try await writingKey()) }

  /// Repeats a write that the database does not accept at the moment.
  func write(_ grant: Grant, with key: StoreKey.Key) async throws(OAuthFailure) {
    guard let sealed = try? SealedGrant.seal(grant, with: key.symmetric) else { throw StorageFailure.sealing }
    let account = grant.account
    let seen = row(of: account).version
    let version = Int64.random(in: 1...(.max - 1))
    try await retrying { [self] () async throws(OAuthFailure) in
      let isWritten = try await perform { [self] connection in
        let values: [PostgresConnection.Value] = [.text(PostgresTable.encoded(account)), .bytes(sealed), .text("\(version)")]
        let written =
          seen == 0
          ? try PostgresTable.run(PostgresTable.writeFirst, values, connection)
          : try PostgresTable.run(PostgresTable.write, values + [.text("\(seen)")], connection)
        guard !written.isEmpty else {
          try load(account, connection)
          return false
        }
        keep(Row(version: version, content: .success(StoredGrant(grant, sealedWith: key.source))), account)
        return true
      }
      guard isWritten else { throw PostgresFailure.superseded(account) }
    }
  }

  /// Repeats work that fails because the database does not answer, for as long as a restart of it takes.
  private func retrying(_ work: () async throws(OAuthFailure) -> Void) async throws(OAuthFailure) {
    let end = clock.uptime() + Self.writePatience
    var pause = 200
    while true {
      do throws(OAuthFailure) {
        return try await work()
      } catch {
        guard error.isRetryable, !error.isSuperseded, clock.uptime() + pause < end else { throw error }
        guard (try? await clock.sleep(milliseconds: pause)) != nil else { throw error }
        pause = min(pause * 2, 2000)
      }
    }
  }

  package func remove(_ account: String) async throws(OAuthFailure) {
    try await perform { [self] connection in
      let version = Int64.random(in: 1...(.max - 1))
      try PostgresTable.run(PostgresTable.remove, [.text(PostgresTable.encoded(account)), .text("\(version)")], connection)
      try PostgresTable.run(PostgresTable.clean, [.text(PostgresTable.encoded(account))], connection)
      try load(account, connection)
    }
    local.forgetUses(account)
  }

  /// Returns the key for a new grant. A machine whose key is not the table's must not write.
  func writingKey() async throws(OAuthFailure) -> StoreKey.Key {
    await local.prepare()
    try await adoptKey()
    try await local.key.prepareNew()
    for _ in 0..<2 {
      let key: StoreKey.Key? = try await perform { [self] connection in
        try local.makeFolder()
        guard let key = try local.key.keyForWriting() else { return nil }
        try claim(key, connection)
        return key
      }
      if let key { return key }
      await local.prepare()
    }
    throw StorageFailure.keyMoved(local.key.path)
  }

  private func claim(_ key: StoreKey.Key, _ connection: PostgresConnection) throws {
    guard state.withLock(\.keyIdentifier) != key.identifier else { return }
    try PostgresTable.run(PostgresTable.claimKey, [.bytes(Array(key.identifier.utf8))], connection)
    let found = try PostgresTable.run(PostgresTable.keyIdentifier, [], connection).first?[0]
    guard let found, Self.bytes(found).map({ String(decoding: $0, as: UTF8.self) }) == key.identifier else {
      throw PostgresFailure.otherKey(local.key.path)
    }
    state.withLock { $0.keyIdentifier = key.identifier }
  }
}
