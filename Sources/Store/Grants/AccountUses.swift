/// Remembers when a credential of an account was last used.
package protocol AccountUses: Sendable {
  /// Records a use of the account now, without waiting. It may skip a use within a minute of the last recorded one.
  func wasUsed(_ account: String)
  /// Returns the time of the last recorded use by any process, in Unix seconds; nil if there is none.
  func lastUse(of account: String) -> Int?
}

extension AccountUses {
  package func wasUsed(_ account: String) {}
  package func lastUse(of account: String) -> Int? { nil }
}
