/// A grant as the store has it, shared and not copied: it is dozens of values, and an account's state is asked often.
package final class StoredGrant: Sendable {
  package let grant: Grant

  package init(_ grant: Grant) { self.grant = grant }
}

/// What was last seen of one account, good for the requests that arrived together.
struct Glance: Sendable {
  private let account: String
  /// How many changes of our own the store had made before the file was looked at.
  private let changes: Int
  /// nil where there is none.
  let grant: StoredGrant?

  init(_ account: String, after changes: Int, _ grant: StoredGrant?) {
    self.account = account
    self.changes = changes
    self.grant = grant
  }

  /// By bytes, as `AccountKey` has it.
  func holds(_ account: String, after changes: Int) -> Bool {
    changes == self.changes && account.utf8.elementsEqual(self.account.utf8)
  }
}
