import OAuth

/// Records the uses of credentials: the account's last use in its store, and a line in the audit file if there is one.
struct UseRecord: Sendable {
  let store: any AccountStore
  let audit: AuditLog?

  /// Returns when the line is in the file.
  func add(_ use: CredentialUse) async {
    store.wasUsed(use.account)
    await audit?.add(use)
  }

  /// Records the use if that waits for nothing. Otherwise records nothing and returns false.
  func addAtOnce(_ use: CredentialUse) -> Bool {
    guard audit == nil else { return false }
    store.wasUsed(use.account)
    return true
  }
}
