import OAuthCore
import Synchronization

/// A grant that is shared instead of copied, with its summary. A grant has dozens of members, and clients ask often for an account's state.
package final class StoredGrant: Sendable {
  package let grant: Grant
  package let summary: AccountSummary
  /// Where the key that seals the grant was when it was read or written; nil without a key.
  package let keySource: KeySource?

  package init(_ grant: Grant, sealedWith keySource: KeySource? = nil) {
    (self.grant, summary, self.keySource) = (grant, AccountSummary(grant), keySource)
  }

  /// The grants that were last read from files or written to them. A grant is valid while its file's stamp is the same.
  final class Cache: Sendable {
    private let entries = Mutex<[AccountKey: (stamp: FileStamp, stored: StoredGrant)]>([:])

    func find(_ account: String, _ stamp: FileStamp) -> StoredGrant? {
      entries.withLock { entries in entries[.init(account)].flatMap { $0.stamp == stamp ? $0.stored : nil } }
    }

    func keep(_ stored: StoredGrant, _ stamp: FileStamp) { entries.withLock { $0[.init(stored.grant.account)] = (stamp, stored) } }

    func remove(_ account: String) { entries.withLock { _ = $0.removeValue(forKey: .init(account)) } }
  }
}
