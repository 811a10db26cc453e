import OAuthCore

/// A grant that is shared instead of copied, with its summary. A grant has dozens of members, and clients ask often for an account's state.
package final class StoredGrant: Sendable {
  package let grant: Grant
  package let summary: AccountSummary
  /// Where the key that seals the grant was when it was read or written; nil without a key.
  package let keySource: KeySource?

  package init(_ grant: Grant, sealedWith keySource: KeySource? = nil) {
    (self.grant, summary, self.keySource) = (grant, AccountSummary(grant), keySource)
  }
}
