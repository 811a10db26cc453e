import Crypto
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Grants as files, one an account, in a folder that only its owner can enter: written as temporary file → fsync → rename → fsync of the folder.
package final class FileStore: GrantStore {
  struct Cached {
    var stamp: FileStamp
    var grant: StoredGrant
  }

  /// No grant comes near it; a foreign file in our folder shall not fill the memory.
  private static let sizeLimit = 16 << 20

  let folder: String
  /// Milliseconds that an account's lock is waited for; a stopped process would hold it for ever.
  let patience: Int
  let clock: @Sendable () -> Int
  let random: @Sendable (Int) -> [UInt8]
  let remark: @Sendable (Remark) -> Void
  let key = Mutex<SymmetricKey?>(nil)
  let cache = Mutex<[AccountKey: Cached]>([:])
  private let glanced = Mutex<Glance?>(nil)
  /// Counts what we wrote and removed, each of which ends a glance.
  let changes = Atomic<Int>(0)
  /// When leftovers were last looked for, in Unix seconds.
  let swept = Mutex<Int?>(nil)
  /// Disk writes wait for the disk, so they have threads of their own and never those that tasks share.
  let disk = DispatchQueue(label: "disk", attributes: .concurrent)

  /// The folder is made when somebody is first asked to sign in; `clock` gives Unix seconds, `random` that many bytes.
  /// An exchange holds the lock for 30 seconds at the most, so twice that is `patience` enough.
  package init(
    folder: String, patience: Int = 60_000, clock: @escaping @Sendable () -> Int, random: @escaping @Sendable (Int) -> [UInt8],
    remark: @escaping @Sendable (Remark) -> Void = { _ in }
  ) {
    self.remark = remark
    self.folder = folder
    self.patience = patience
    self.clock = clock
    self.random = random
  }

  package func read(_ account: String) throws(OAuthFailure) -> Grant? { try find(account)?.grant }

  package func glance(_ account: String) throws(OAuthFailure) -> StoredGrant? {
    let changes = changes.load(ordering: .acquiring)
    if let last = glanced.withLock({ $0 }), last.holds(account, after: changes) { return last.grant }
    let found = try find(account)
    glanced.withLock { $0 = Glance(account, after: changes, found) }
    return found
  }

  package func endGlance() { glanced.withLock { $0 = nil } }

  private func find(_ account: String) throws(OAuthFailure) -> StoredGrant? {
    do throws(OAuthFailure) { return try look(for: account) } catch { throw error.of(account) }
  }

  private func look(for account: String) throws(OAuthFailure) -> StoredGrant? {
    let path = path(of: account)
    guard let stamp = try stamp(path) else {
      cache.withLock { _ = $0.removeValue(forKey: .init(account)) }
      return nil
    }
    if let cached = cache.withLock({ $0[.init(account)] }), cached.stamp == stamp { return cached.grant }
    let bytes: [UInt8]
    do throws(PosixFile.Fault) {
      guard let found = try PosixFile.read(path, limit: Self.sizeLimit) else { return nil }
      bytes = found
    } catch {
      // No grant is as large as that.
      throw error.code == EFBIG ? setAside(path, stamp) : StorageFailure.from(error)
    }
    do {
      let grant = StoredGrant(try open(bytes))
      guard AccountKey(grant.grant.account) == AccountKey(account) else { throw SealedGrant.Fault.foreign }
      cache.withLock { $0[.init(account)] = Cached(stamp: stamp, grant: grant) }
      return grant
    } catch let failure as OAuthFailure {
      throw failure
    } catch SealedGrant.Fault.otherKey {
      throw StorageFailure.otherKey(path, KeyFile(folder: folder).path)
    } catch {
      throw setAside(path, stamp)
    }
  }

  package func accounts() throws(OAuthFailure) -> [String] {
    let names = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder) }
    var accounts: [String] = []
    for name in names where name.hasSuffix(".grant") {
      // One that is no grant or cannot be read harms no other account; it is reported when its own account is used.
      guard let bytes = try? PosixFile.read("\(folder)/\(name)", limit: Self.sizeLimit) else { continue }
      if let account = try? SealedGrant.account(of: bytes), path(of: account).hasSuffix("/\(name)") { accounts.append(account) }
    }
    return accounts.sorted()
  }

  func path(of account: String) -> String { "\(folder)/\(FileName.of(account))" }

  /// Another process may have begun the folder anew with another key, so one that does not fit is read again before the file is blamed.
  private func open(_ file: [UInt8]) throws -> Grant {
    do {
      return try SealedGrant.open(file, with: try existingKey())
    } catch SealedGrant.Fault.otherKey {
      // Another process may have begun the folder anew.
      key.withLock { $0 = nil }
      return try SealedGrant.open(file, with: try existingKey())
    }
  }

  func stamp(_ path: String) throws(OAuthFailure) -> FileStamp? {
    try StorageFailure.of { () throws(PosixFile.Fault) in try FileStamp.of(path) }
  }

  private func existingKey() throws(OAuthFailure) -> SymmetricKey {
    if let key = key.withLock({ $0 }) { return key }
    guard let loaded = try KeyFile(folder: folder).load() else { throw StorageFailure.keyMissing(KeyFile(folder: folder).path) }
    key.withLock { $0 = loaded }
    return loaded
  }

  /// Renames a file that does not open, so that it is neither overwritten nor in the way.
  private func setAside(_ path: String, _ stamp: FileStamp) -> OAuthFailure {
    guard let aside = PosixFile.reserve("\(path).unreadable-\(clock())") else {
      return StorageFailure.unreadable(path, aside: nil)
    }
    guard rename(path, aside) == 0 else {
      unlink(aside)
      return StorageFailure.unreadable(path, aside: nil)
    }
    // A sign-in may have put a good file there since the bad one was read; it goes back, unless a still newer one has come.
    if (try? FileStamp.of(aside)) != stamp, link(aside, path) == 0 { unlink(aside) }
    remark(.fileSetAside(aside))
    return StorageFailure.unreadable(path, aside: aside)
  }
}
