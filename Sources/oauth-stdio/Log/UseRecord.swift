import OAuth
import Store

/// Records the uses of credentials: the account's last use in its store, and a line in the audit file if there is one.
struct UseRecord: Sendable {
  let store: any AccountStore
  let audit: AuditLog?

  /// Records the use without waiting for the disk. `written` waits.
  @Sendable func add(_ use: CredentialUse) {
    store.wasUsed(use.account)
    audit?.add(use)
  }

  /// Records the use, unless its answer has to wait for the disk. Otherwise records nothing and returns false.
  func addAtOnce(_ use: CredentialUse) -> Bool {
    guard audit == nil else { return false }
    add(use)
    return true
  }

  /// Waits until the lines of all uses so far are in the file.
  func written() async { await audit?.written() }

  /// Does the work, and returns or throws after the lines of its uses are in the file.
  func written<Value>(after work: () async throws -> Value) async throws -> Value {
    do {
      let value = try await work()
      await written()
      return value
    } catch {
      await written()
      throw error
    }
  }
}
