import Crypto
import Synchronization

/// Grants as files, one an account, in a folder that only its owner can enter: written as temporary file → fsync → rename → fsync of the folder.
package final class FileStore: GrantStore {
  struct Cached {
    var stamp: FileStamp
    var grant: StoredGrant
  }

  /// No grant comes near it; a foreign file in our folder shall not fill the memory.
  static let sizeLimit = 16 << 20

  let folder: String
  /// The users that the folder and its files may belong to.
  let owners: TrustedOwners
  /// Milliseconds that an account's lock is waited for; a stopped process would hold it for ever.
  let patience: Int
  let clock: @Sendable () -> Int
  let random: @Sendable (Int) -> [UInt8]
  let remark: @Sendable (Remark) -> Void
  let key = Mutex<SymmetricKey?>(nil)
  let cache = Mutex<[AccountKey: Cached]>([:])
  /// What `list` found, by file name.
  let listed = Mutex<[String: Cached]>([:])
  let glanced = Mutex<Glance?>(nil)
  /// Counts what we wrote and removed, each of which ends a glance.
  let changes = Atomic<Int>(0)
  /// When leftovers were last looked for, in Unix seconds.
  let swept = Mutex<Int?>(nil)
  /// Disk writes wait for the disk, so they have threads of their own and never those that tasks share.
  let disk = OffPool()

  /// The folder is made when somebody is first asked to sign in; `clock` gives Unix seconds, `random` that many bytes.
  /// An exchange holds the lock for 30 seconds at the most, so twice that is `patience` enough.
  package init(
    folder: String, owners: TrustedOwners = TrustedOwners(), patience: Int = 60_000, clock: @escaping @Sendable () -> Int,
    random: @escaping @Sendable (Int) -> [UInt8],
    remark: @escaping @Sendable (Remark) -> Void = { _ in }
  ) {
    self.remark = remark
    self.folder = folder
    self.owners = owners
    self.patience = patience
    self.clock = clock
    self.random = random
  }

  func path(of account: String) -> String { "\(folder)/\(FileName.of(account))" }

  func stamp(_ path: String) throws(OAuthFailure) -> FileStamp? {
    try StorageFailure.of { () throws(PosixFile.Fault) in try FileStamp.of(path) }
  }

  func onDisk<Value: Sendable>(_ work: @escaping @Sendable () throws(OAuthFailure) -> Value) async throws(OAuthFailure) -> Value {
    try await disk.run(work)
  }
}
