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

  /// To be called before a call's work. Returns what waits for the lines of its uses; nil without an audit file.
  @Sendable func recording() -> (@Sendable () async -> Void)? {
    guard let audit else { return nil }
    let first = audit.added
    // A call without a use does not wait, unless another call had one meanwhile.
    return { if audit.added != first { await audit.written() } }
  }
}
