import Crypto
import OAuthCore
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// Why a grant file cannot be read.
  enum Unreadable: Error {
    /// The file itself is not known to be damaged, and is left in place.
    case stays(OAuthFailure)
    case damaged
  }

  package func read(_ account: String) throws(OAuthFailure) -> Grant? { try find(account)?.grant }

  package func summary(of account: String) throws(OAuthFailure) -> AccountSummary? { try find(account)?.summary }

  package func news(of account: String) -> @Sendable () -> Bool {
    let path = path(of: account)
    let last = LastSeen<FileStamp?>()
    return {
      do throws(PosixFile.Fault) {
        return last.isNew(try FileStamp.of(path))
      } catch {
        // The caller then reads the file, which gives the reason.
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

  /// Returns the grant in a file, or nil if there is no file.
  func load(_ path: String) throws(Unreadable) -> Grant? {
    let bytes: [UInt8]
    do throws(PosixFile.Fault) {
      guard let found = try PosixFile.read(path, limit: Self.sizeLimit, check: owners.own) else { return nil }
      bytes = found
    } catch {
      // No real grant is that large.
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

  /// Opens a grant file. If the key doesn't fit, it is read again first: another process may have recreated the folder with another key.
  private func open(_ file: [UInt8]) throws -> Grant {
    do {
      return try SealedGrant.open(file, with: try existingKey())
    } catch SealedGrant.Fault.otherKey {
      key.withLock { $0 = nil }
      return try SealedGrant.open(file, with: try existingKey())
    }
  }

  func existingKey() throws(OAuthFailure) -> SymmetricKey {
    if let key = key.withLock({ $0 }) { return key }
    let file = KeyFile(folder: folder, owners: owners)
    guard let loaded = try file.load() else { throw StorageFailure.keyMissing(file.path) }
    key.withLock { $0 = loaded }
    return loaded
  }

  /// Renames a file that cannot be decrypted. It then neither blocks the account nor is overwritten.
  private func setAside(_ path: String, _ stamp: FileStamp) -> OAuthFailure {
    guard let aside = PosixFile.reserve("\(path).unreadable-\(clock.now)") else {
      return StorageFailure.unreadable(path, aside: nil)
    }
    guard rename(path, aside) == 0 else {
      unlink(aside)
      return StorageFailure.unreadable(path, aside: nil)
    }
    // A sign-in may have written a good file since the damaged one was read. That file is put back unless an even newer one exists.
    if (try? FileStamp.of(aside)) != stamp, link(aside, path) == 0 { unlink(aside) }
    log(.fileSetAside(aside))
    return StorageFailure.unreadable(path, aside: aside)
  }
}
