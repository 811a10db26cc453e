import OAuthCore
import Platform

/// Writing grants.
extension PostgresStore {
  package func makeReady() async throws(OAuthFailure) {
    _ = try await writingKey()
    let isWritable = try await perform { try PostgresTable.run(PostgresTable.isWritable, [], $0).first }
    guard isWritable?[0] == "t" else { throw PostgresFailure.from(PostgresConnection.Fault.rejected(state: "25006", "")) }
    guard isWritable?[1] == "t" else { throw PostgresFailure.noPrivileges }
  }

  package func write(_ grant: Grant) async throws(OAuthFailure) { try await write(grant, with: try await writingKey()) }

  /// Repeats a write that the database does not accept at the moment.
  func write(_ grant: Grant, with key: StoreKey.Key) async throws(OAuthFailure) {
    guard let sealed = try? SealedGrant.seal(grant, with: key.symmetric, named: key.identifier) else { throw StorageFailure.sealing }
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
        cache(Row(version: version, content: .success(StoredGrant(grant, sealedWith: key.source))), account)
        return true
      }
      guard isWritten else { throw PostgresFailure.superseded(account) }
    }
  }

  /// Repeats work that fails because the database does not answer, for as long as a restart of it takes.
  private func retrying(_ work: () async throws(OAuthFailure) -> Void) async throws(OAuthFailure) {
    let end = clock.uptime() + RefreshTimes.write * 1000
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
    try await prepareKey()
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

  private func claim(_ key: StoreKey.Key, _ connection: PostgresTable.Session) throws {
    guard state.withLock(\.keyIdentifier) != key.identifier else { return }
    try PostgresTable.run(PostgresTable.claimKey, [.bytes(Array(key.identifier.utf8))], connection)
    let found = try PostgresTable.run(PostgresTable.keyIdentifier, [], connection).first?[0]
    guard let found, Hexadecimal.decode(found).map({ String(decoding: $0, as: UTF8.self) }) == key.identifier else {
      throw PostgresFailure.otherKey(local.key.path)
    }
    state.withLock { $0.keyIdentifier = key.identifier }
  }
}
