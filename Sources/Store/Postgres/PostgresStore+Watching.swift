import OAuthCore
import Platform

extension PostgresStore {
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
      try PostgresTable.run("LISTEN \(PostgresTable.channel)", [], PostgresTable.Session(connection: connection))
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
