import OAuthCore
import Platform

extension FileStore {
  /// Loads a key that is not in the folder. To be called before the store is used.
  package func prepare() async { await key.prepare() }

  /// Where the store's key is; nil before the first grant. A use of the key reports why its file cannot be read.
  package var keySource: KeySource? { try? key.source }

  /// Seals every grant with a new key, which is kept at `source`: all grants or none. Returns their number.
  ///
  /// The new key's file lies beside the old one's until all grants are sealed with it. If the process is killed, both keys open the store, and the
  /// next call finishes the move. A grant that the old key does not open stays as it is.
  package func rekey(to source: KeySource) async throws -> Int {
    try await disk.run { [self] () throws(OAuthFailure) in try makeFolder() }
    let lock = try await GrantLock.take(keyLockPath, for: nil, patience: patience, clock: clock, log: { _ in })
    defer { withExtendedLifetime(lock) {} }
    await key.prepare()
    guard try key.source != nil else {
      // There is no grant. The first one creates the key.
      throw OAuthFailure(.storageFailure, "the store has no key yet: start the process with --key \(source.name)")
    }
    // A process was killed while it moved the key.
    if let next = try await key.unfinished() {
      let old = try key.keys()[0]
      _ = try await disk.run { [self] () throws(OAuthFailure) in try seal(with: next, insteadOf: old) }
    }
    let old = try key.keys(isFresh: true)[0]
    let (new, content) = try await key.makeNext(at: source)
    return try await disk.run { [self] () throws(OAuthFailure) in
      do throws(OAuthFailure) {
        try StorageFailure.of { () throws(PosixFile.Fault) in
          try PosixFile.writeNew(key.nextPath, content.bytes)
          try PosixFile.syncFolder(folder)
        }
        return try seal(with: new, insteadOf: old)
      } catch {
        // Without its file, the new key has sealed no grant.
        if access(key.nextPath, F_OK) != 0 { key.use(old, insteadOf: new) }
        throw error
      }
    }
  }

  /// Seals all grants with the key in `key.next`, and makes that file the key file.
  private func seal(with new: StoreKey.Key, insteadOf old: StoreKey.Key) throws(OAuthFailure) -> Int {
    var sealed: [(temporary: String, path: String)] = []
    do throws(OAuthFailure) {
      let names = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder, endingIn: FileName.suffix) }
      for name in names {
        let path = "\(folder)/\(name)"
        guard let bytes = try StorageFailure.of({ () throws(PosixFile.Fault) in try PosixFile.read(path, check: owners.own) }),
          let grant = try? opened(bytes, with: [old]), let file = try? SealedGrant.seal(grant, with: new.symmetric)
        else { continue }
        let temporary = FileName.temporary(for: path, random)
        sealed.append((temporary, path))
        try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.writeNew(temporary, file) }
      }
    } catch {
      for file in sealed { unlink(file.temporary) }
      unlink(key.nextPath)
      throw error
    }
    try StorageFailure.of { () throws(PosixFile.Fault) in
      for file in sealed where rename(file.temporary, file.path) != 0 { throw PosixFile.Fault(path: file.path, code: errno) }
      try PosixFile.syncFolder(folder)
      guard rename(key.nextPath, key.path) == 0 else { throw PosixFile.Fault(path: key.path, code: errno) }
      try PosixFile.syncFolder(folder)
    }
    removeIndex()
    key.use(new, insteadOf: old)
    return sealed.count
  }
}
