import Crypto
import OAuthCore
import Platform
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// Bytes reserved beyond the present grant. The tokens, claims and attributes that a refresh adds are far smaller than 16 KiB.
  private static let room = 16 << 10

  package func write(_ grant: Grant) async throws(OAuthFailure) {
    try await onDisk { [self] () throws(OAuthFailure) in
      let (file, key) = try beginWriting(grant.account)
      try put(grant, into: file, sealedWith: key)
    }
  }

  package func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation {
    try await onDisk { [self] () throws(OAuthFailure) in
      let (file, key) = try beginWriting(grant.account)
      let size = try sealed(grant, with: key).count + Self.room
      try StorageFailure.of { () throws(PosixFile.Fault) in try file.reserve(size) }
      return GrantReservation { [self] fresh async throws(OAuthFailure) in
        try await onDisk { () throws(OAuthFailure) in try self.put(fresh, into: file, sealedWith: key) }
      }
    }
  }

  private func beginWriting(_ account: String) throws(OAuthFailure) -> (TemporaryFile, SymmetricKey) {
    try makeFolder()
    let key = try keyForWriting()
    let temporary = TemporaryName.of(path(of: account), random)
    return (try StorageFailure.of { () throws(PosixFile.Fault) in try TemporaryFile(temporary, in: folder) }, key)
  }

  private func put(_ grant: Grant, into file: TemporaryFile, sealedWith key: SymmetricKey) throws(OAuthFailure) {
    let path = path(of: grant.account)
    let sealed = try sealed(grant, with: key)
    try StorageFailure.of { () throws(PosixFile.Fault) in
      try file.write(sealed)
      try file.move(over: path)
    }
    sweep(holding: FileName.of(grant.account))
    // The grant is on the disk. Without a stamp, the next read takes it from there.
    guard let stamp = try? stamp(path) else { return }
    let stored = StoredGrant(grant)
    let previous = cache.withLock { $0.updateValue(Cached(stamp: stamp, grant: stored), forKey: .init(grant.account)) }?.grant.summary
    // The index may hold the address of the user whom this grant replaces.
    if let previous, (previous.subject, previous.email) != (stored.summary.subject, stored.summary.email) { removeIndex() }
  }

  private func sealed(_ grant: Grant, with key: SymmetricKey) throws(OAuthFailure) -> [UInt8] {
    guard let sealed = try? SealedGrant.seal(grant, with: key) else { throw StorageFailure.sealing }
    return sealed
  }

  /// Removes leftovers at most once an hour, the age from which a file counts as one.
  private func sweep(holding held: String) {
    let now = clock.now
    let isDue = swept.withLock { last in
      guard last.map({ now - $0 >= LeftoverSweep.age || now < $0 }) ?? true else { return false }
      last = now
      return true
    }
    // The grant is on the disk already, so a folder that cannot be listed is no error.
    if isDue { try? LeftoverSweep(folder: folder).run(holding: held, at: now) }
  }

  package func makeReady() async throws(OAuthFailure) {
    try await onDisk { [self] () throws(OAuthFailure) in
      try makeFolder()
      try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.checkWritable(folder) }
      _ = try keyForWriting()
    }
  }

  package func remove(_ account: String) async throws(OAuthFailure) {
    let path = path(of: account)
    cache.withLock { _ = $0.removeValue(forKey: .init(account)) }
    try await onDisk { [folder, self] () throws(OAuthFailure) in
      // The index may hold the user's address. It is deleted after the grant, because a process that writes it looks for the grants afterwards.
      // It is deleted even if there is no grant: a process may have been killed between the two.
      defer { removeIndex() }
      guard try stamp(path) != nil else { return }
      try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.remove(path, in: folder) }
    }
  }

  private func keyForWriting() throws(OAuthFailure) -> SymmetricKey {
    let file = KeyFile(folder: folder, owners: owners)
    if let loaded = try file.load() { return remember(loaded) }
    let names = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder) }
    guard names.contains(where: { $0.hasSuffix(".grant") }) else { return remember(try file.make(random)) }
    // A new key would make the existing grants permanently unreadable. Another process may have created key and grant since the first look.
    guard let loaded = try file.load() else { throw StorageFailure.keyMissing(file.path) }
    return remember(loaded)
  }

  private func remember(_ found: SymmetricKey) -> SymmetricKey {
    key.withLock { $0 = found }
    return found
  }
}
