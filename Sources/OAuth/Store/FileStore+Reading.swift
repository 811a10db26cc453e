import Crypto

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// Why a grant file gives no grant.
  enum Unreadable: Error {
    /// Nothing is known to be wrong with the file, so it stays where it is.
    case stays(OAuthFailure)
    case damaged
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

  package func news(of account: String) -> @Sendable () -> Bool {
    let path = path(of: account)
    let last = LastSeen<FileStamp?>()
    return {
      do throws(PosixFile.Fault) {
        return last.isNew(try FileStamp.of(path))
      } catch {
        // What cannot be looked at is looked at in full, which says why.
        return true
      }
    }
  }

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
    try checkFolder()
    do throws(Unreadable) {
      guard let grant = try load(path) else { return nil }
      guard AccountKey(grant.account) == AccountKey(account) else { throw .damaged }
      let stored = StoredGrant(grant)
      cache.withLock { $0[.init(account)] = Cached(stamp: stamp, grant: stored) }
      return stored
    } catch {
      switch error {
      case .stays(let failure): throw failure
      case .damaged: throw setAside(path, stamp)
      }
    }
  }

  /// The grant in a file; nil where there is no file.
  func load(_ path: String) throws(Unreadable) -> Grant? {
    let bytes: [UInt8]
    do throws(PosixFile.Fault) {
      guard let found = try PosixFile.read(path, limit: Self.sizeLimit, check: owners.own) else { return nil }
      bytes = found
    } catch {
      // No grant is as large as that.
      throw error.isTooLarge ? .damaged : .stays(StorageFailure.from(error))
    }
    do {
      return try open(bytes)
    } catch let failure as OAuthFailure {
      throw .stays(failure)
    } catch SealedGrant.Fault.otherKey {
      throw .stays(StorageFailure.otherKey(path, KeyFile(folder: folder, owners: owners).path))
    } catch SealedGrant.Fault.newer {
      throw .stays(StorageFailure.newer(path))
    } catch {
      throw .damaged
    }
  }

  /// Another process may have created the folder again with another key, so a key that does not fit is read again before the file is blamed.
  private func open(_ file: [UInt8]) throws -> Grant {
    do {
      return try SealedGrant.open(file, with: try existingKey())
    } catch SealedGrant.Fault.otherKey {
      key.withLock { $0 = nil }
      return try SealedGrant.open(file, with: try existingKey())
    }
  }

  private func existingKey() throws(OAuthFailure) -> SymmetricKey {
    if let key = key.withLock({ $0 }) { return key }
    let file = KeyFile(folder: folder, owners: owners)
    guard let loaded = try file.load() else { throw StorageFailure.keyMissing(file.path) }
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
