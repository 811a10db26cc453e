import Crypto
import Dispatch
import OAuthCore
import Platform
import Synchronization

/// Stores each grant as a file in a folder that only its owner can enter. A write is: temporary file → fsync → rename → fsync of the folder.
package final class FileStore: GrantStore {
  struct Cached {
    var stamp: FileStamp
    var grant: StoredGrant
  }

  /// Far above the size of any grant. Keeps an unrelated file in the folder from filling the memory.
  static let sizeLimit = 16 << 20

  let folder: String
  /// The users that may own the folder and its files.
  let owners: TrustedOwners
  /// Milliseconds to wait for an account's lock. A suspended process can hold one indefinitely.
  let patience: Int
  package let clock: Clock
  let random: @Sendable (Int) -> [UInt8]
  package let log: @Sendable (LogMessage) -> Void
  let key = Mutex<SymmetricKey?>(nil)
  let cache = Mutex<[AccountKey: Cached]>([:])
  /// What the last `list` found; nil before the first.
  let listed = Mutex<Listing?>(nil)
  /// Counts the indexes that are being written.
  let indexing = DispatchGroup()
  /// When leftovers were last searched for, in Unix seconds.
  let swept = Mutex<Int?>(nil)
  /// Runs file operations that wait for the disk on threads outside the pool that tasks share.
  let disk = Blocking()

  /// The first sign-in creates the folder. `random` returns that many bytes.
  /// An exchange holds the lock for at most 30 seconds; the default of `patience` is twice that.
  package init(
    folder: String, owners: TrustedOwners = TrustedOwners(), patience: Int = 60_000, clock: Clock,
    random: @escaping @Sendable (Int) -> [UInt8],
    log: @escaping @Sendable (LogMessage) -> Void = { _ in }
  ) {
    self.log = log
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
