/// A grant that is shared instead of copied, with its summary. A grant has dozens of members, and clients ask often for an account's state.
package final class StoredGrant: Sendable {
  package let grant: Grant
  package let summary: AccountSummary

  package init(_ grant: Grant) { (self.grant, summary) = (grant, AccountSummary(grant)) }
}
