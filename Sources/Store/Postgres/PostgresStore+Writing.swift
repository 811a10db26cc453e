import OAuthCore
import Platform

/// Writing grants.
extension PostgresStore {
  package func makeReady() async throws(OAuthFailure) {
    _ = try await writingKey()
    let isWritable = try await perform { try $0.run(PostgresTable.isWritable).first }
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
      let isWritten = try await perform { [self] session in
        let written =
          seen == 0
          ? try session.run(PostgresTable.writeFirst, .account(account), .bytes(sealed), .text("\(version)"))
          : try session.run(PostgresTable.write, .account(account), .bytes(sealed), .text("\(version)"), .text("\(seen)"))
        guard !written.isEmpty else {
          try load(account, session)
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
    try await perform { [self] session in
      try session.run(PostgresTable.remove, .account(account), .text("\(Int64.random(in: 1...(.max - 1)))"))
      try session.run(PostgresTable.clean, .account(account))
      try load(account, session)
    }
    local.forgetUses(account)
  }

  /// Returns the key for a new grant. A machine whose key is not the table's must not write.
  func writingKey() async throws(OAuthFailure) -> StoreKey.Key {
    try await prepareKey()
    let key = try await local.withKey { $0 }
    guard state.withLock(\.keyIdentifier) != key.identifier else { return key }
    _ = try await perform { try $0.run(PostgresTable.claimKey, .bytes(Array(key.identifier.utf8))) }
    guard try await usedKey() == key.identifier else { throw PostgresFailure.otherKey(local.key.path) }
    state.withLock { $0.keyIdentifier = key.identifier }
    return key
  }
}
