import OAuthCore
import Platform
import Synchronization

/// Stores each grant as a file in a folder that only its owner can enter. A write is: temporary file → fsync → rename → fsync of the folder.
package final class FileStore: AccountStore {
  /// Why a grant file cannot be read.
  enum Unreadable: Error {
    /// The file itself may be undamaged, and is left in place.
    case stays(OAuthFailure)
    case damaged
  }

  /// Far above the size of any grant. Keeps an unrelated file in the folder from filling the memory.
  static let sizeLimit = 16 << 20
  /// How often a grant that no loaded key opens is read. The second time finds a key that was moved, the third a grant that was moved meanwhile.
  private static let attempts = 3

  struct State {
    /// The grants that were last read from files or written to them, by the file's name. A grant is valid while its file's stamp is the same.
    var opened: [String: (stamp: FileStamp, stored: StoredGrant)] = [:]
    /// When this process last noted a use of an account's credential, in Unix seconds, by the name of its grant's file.
    var used: [String: Int] = [:]
    /// When leftovers were last searched for, in Unix seconds.
    var swept: Int?
  }

  package let folder: String
  let files: StoreFolder
  /// Milliseconds to wait for an account's lock. A suspended process can hold one indefinitely.
  let timeoutMilliseconds: Int
  let clock: Clock
  let log: (any LogSink)?
  let key: StoreKey
  let state = Mutex(State())
  /// Runs file operations that wait for the disk on threads outside the pool that tasks share.
  let disk = Blocking()

  /// The first sign-in creates the folder.
  package init(
    folder: String, owners: TrustedOwners = TrustedOwners(), timeoutMilliseconds: Int = RefreshTimes.fileLock * 1000, clock: Clock,
    keyChoice: (any KeyChoice)? = nil, log: (any LogSink)? = nil
  ) {
    (self.folder, self.timeoutMilliseconds, self.clock, self.log) = (folder, timeoutMilliseconds, clock, log)
    files = StoreFolder(folder, owners, log: log)
    key = StoreKey(files, choice: keyChoice, log: log)
  }

  package var keyFile: String { key.path }

  func path(of account: String) -> String { path(named: FileName.of(account)) }
  func path(named name: String) -> String { folder + "/" + name }

  func stamp(_ path: String) throws(OAuthFailure) -> FileStamp? {
    try StorageFailure.of { () throws(PosixFile.Fault) in try FileStamp.of(path) }
  }

  // MARK: Locking

  package var pageCount: PageCount { PageCount(folder: files, clock: clock) }

  package func lock(_ account: String) async throws -> GrantLock {
    do throws(OAuthFailure) { try makeFolder() } catch {
      // The user's own process changes nothing that this one could write.
      if error.isOfOtherUser { return GrantLock {} }
      throw error.of(account)
    }
    let lock = try await GrantLock.take(
      path(of: account) + ".lock", in: files, for: account, timeoutMilliseconds: timeoutMilliseconds, clock: clock)
    // Another process may have moved the key until now. It cannot finish another move while the lock is held.
    await key.prepare(retries: false)
    return lock
  }

  package func lockHolder(of account: String) -> LockHolder? { LockHolder(of: path(of: account) + ".lock", in: files) }

  // MARK: Reading

  package func find(_ account: String) throws(OAuthFailure) -> StoredGrant? {
    do throws(OAuthFailure) { return try read(account, settingDamagedAside: true) } catch { throw error.of(account) }
  }

  package func load(_ account: String) async throws(OAuthFailure) -> StoredGrant? {
    try await disk.run { [self] () throws(OAuthFailure) in try find(account) }
  }

  /// Serves frequent `account` requests, such as those of an editor's status line. Costs one `stat` call if the grant is unchanged since it was last read.
  /// Whatever is wrong with the grant or its key, `find` reports it.
  package func readAtOnce(_ account: String) -> StoredGrant?? {
    do throws(OAuthFailure) { return .some(try read(account, settingDamagedAside: false)) } catch { return nil }
  }

  package func examine(_ account: String) throws(OAuthFailure) -> StoredGrant? {
    do throws(OAuthFailure) { return try read(account, settingDamagedAside: false) } catch { throw error.of(account) }
  }

  private func read(_ account: String, settingDamagedAside: Bool) throws(OAuthFailure) -> StoredGrant? {
    let name = FileName.of(account)
    let path = path(named: name)
    let stamp = try stamp(path)
    do throws(Unreadable) { return try stored(as: name, stamp) } catch {
      switch error {
      case .stays(let failure): throw failure
      case .damaged: throw settingDamagedAside ? setAside(path, stamp) : StorageFailure.damaged(path)
      }
    }
  }

  /// Returns the grant in a file with this stamp, from memory if it was read before; nil if there is no file.
  /// `snapshot` is a state from before the stamp, for a caller that lists many.
  func stored(as name: String, _ stamp: FileStamp?, _ snapshot: State? = nil) throws(Unreadable) -> StoredGrant? {
    guard let stamp else {
      forgetOpened(name)
      return nil
    }
    if let cached = snapshot.map({ $0.opened[name] }) ?? state.withLock({ $0.opened[name] }), cached.stamp == stamp { return cached.stored }
    guard let stored = try readFile(path(named: name)) else { return nil }
    guard FileName.of(stored.grant.account) == name else { throw .damaged }
    cache(stored, stamp)
    return stored
  }

  func cache(_ stored: StoredGrant, _ stamp: FileStamp) {
    let name = FileName.of(stored.grant.account)
    state.withLock { $0.opened[name] = (stamp, stored) }
  }

  func forgetOpened(_ name: String) { state.withLock { _ = $0.opened.removeValue(forKey: name) } }

  /// Returns the grant in a file, or nil if there is no file.
  func readFile(_ path: String) throws(Unreadable) -> StoredGrant? {
    // While another process moves the key, the file and the keys may be read at different moments.
    for attempt in 0..<Self.attempts {
      guard let bytes = try content(path) else { return nil }
      do {
        return try opened(bytes, with: try key.keys(isFresh: attempt > 0))
      } catch SealedGrant.Fault.otherKey {
        continue
      } catch SealedGrant.Fault.newer {
        throw .stays(StorageFailure.newer(path))
      } catch let failure as OAuthFailure {
        throw .stays(failure)
      } catch {
        throw .damaged
      }
    }
    throw .stays(key.missingKey ?? StorageFailure.otherKey(path, key.path))
  }

  private func content(_ path: String) throws(Unreadable) -> [UInt8]? {
    do throws(PosixFile.Fault) {
      return try files.read(path, limit: Self.sizeLimit)?.bytes
    } catch {
      // No real grant is that large.
      throw error.isTooLarge ? .damaged : .stays(StorageFailure.from(error))
    }
  }

  /// Opens a grant with the one of the keys that sealed it. While the key is moved, two are in use.
  func opened(_ bytes: [UInt8], with keys: [StoreKey.Key]) throws(SealedGrant.Fault) -> StoredGrant {
    let identifier = try SealedGrant.keyIdentifier(of: bytes)
    guard let key = keys.first(where: { $0.identifier == identifier }) else { throw .otherKey }
    return StoredGrant(try SealedGrant.open(bytes, with: key.symmetric), sealedWith: key.source)
  }

  /// Renames a file that cannot be decrypted. It then neither blocks the account nor is overwritten.
  private func setAside(_ path: String, _ stamp: FileStamp?) -> OAuthFailure {
    guard let aside = PosixFile.reserve("\(path).unreadable-\(clock.now)") else { return StorageFailure.unreadable(path, aside: nil) }
    guard rename(path, aside) == 0 else {
      unlink(aside)
      return StorageFailure.unreadable(path, aside: nil)
    }
    // A sign-in may have written a good file since the damaged one was read. That file is put back unless an even newer one exists.
    if FileStamp.ifAny(aside)?.inode != stamp?.inode, link(aside, path) == 0 { unlink(aside) }
    log?.take(.init(.warning, "a damaged grant was set aside as \(aside)"))
    return StorageFailure.unreadable(path, aside: aside)
  }

  // MARK: The folder

  /// Creates the folder if it is missing, and checks an existing one.
  func makeFolder() throws(OAuthFailure) {
    do throws(PosixFile.Fault) { try PosixFile.makeFolder(folder) } catch { throw StorageFailure.ofFolder(error) }
    try checkFolder()
  }

  /// Rejects a folder of another user.
  func checkFolder() throws(OAuthFailure) {
    try StorageFailure.of { () throws(PosixFile.Fault) in
      var status = stat()
      if stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { try files.owners.check(status, folder) }
    }
  }
}

/// The time of an account's last use is the modification time of an empty file beside its grant.
///
/// Writing the grant again would cost two fsyncs, change its stamp, and race with other writers. The file needs no fsync: it is a hint for users.
/// The grant's own access time would be changed by a backup or a search.
extension FileStore {
  /// Seconds between two notes of one account's uses.
  private static let usePause = 60

  package func wasUsed(_ account: String) {
    let (now, name) = (clock.now, FileName.of(account))
    let isDue = state.withLock { state in
      if let last = state.used[name], (last..<last + Self.usePause).contains(now) { return false }
      state.used[name] = now
      return true
    }
    // A failure is ignored, because the use itself has succeeded.
    if isDue { files.stamp(path(named: name) + FileName.useSuffix, now) }
  }

  package func lastUse(of account: String) -> Int? {
    let name = FileName.of(account)
    return later(FileStamp.ifAny(path(named: name) + FileName.useSuffix)?.seconds, state.withLock { $0.used[name] })
  }

  /// Returns the later one of the noted time and this process's last use, whose note may still be being written.
  func later(_ noted: Int?, _ own: Int?) -> Int? {
    guard let noted, let own else { return noted ?? own }
    return max(noted, own)
  }

  /// Forgets the uses of an account whose grant is removed.
  func forgetUses(_ account: String) {
    let name = FileName.of(account)
    state.withLock { _ = $0.used.removeValue(forKey: name) }
    unlink(path(named: name) + FileName.useSuffix)
  }
}
