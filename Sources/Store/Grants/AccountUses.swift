/// Remembers when a credential of an account was last used.
package protocol AccountUses: Sendable {
  /// Notes a use of now, without waiting. A use within a minute of the noted one need not be noted.
  func wasUsed(_ account: String)
  /// Returns the time of the last noted use by any process, in Unix seconds; nil if there is none.
  func lastUse(of account: String) -> Int?
}

extension AccountUses {
  package func wasUsed(_ account: String) {}
  package func lastUse(of account: String) -> Int? { nil }
}
