import OAuthCore
import Platform

extension FileStore {
  /// Loads the key if it is not in the folder. To be called before the store is used.
  package func prepare() async { await key.prepare(retries: true) }

  package func keyIdentifier() async throws(OAuthFailure) -> String? {
    await prepare()
    return FileStamp.ifAny(key.path) == nil ? nil : try key.keys()[0].identifier
  }

  /// Where the store's key is; nil before the first grant. A use of the key reports why its file cannot be read.
  package var keySource: KeySource? { try? key.source }

  /// Seals every grant with a new key, which is kept at `source`: all grants or none. Returns their number.
  ///
  /// The new key becomes the present one, and the file `key.previous` keeps the old one until no grant needs it. Both open the store meanwhile.
  /// Each grant is sealed again under its account's lock: a writer that still has the old key finishes first. A process that is killed loses
  /// nothing, and the next call finishes its move. A grant that neither key opens stays as it is.
  package func rekey(to source: KeySource) async throws -> Int {
    try await disk.run { [self] () throws(OAuthFailure) in try makeFolder() }
    // Only one process moves the key.
    let lock = try await GrantLock.take(key.path + ".lock", for: nil, timeoutMilliseconds: timeoutMilliseconds, clock: clock, log: { _ in })
    defer { withExtendedLifetime(lock) {} }
    guard var old = try await key.present() else {
      // There is no grant. The first one creates the key.
      throw OAuthFailure(.storageFailure, "the store has no key yet: start the process with --key \(source.name)")
    }
    guard try key.mayMove(from: old.source, to: source) else {
      throw OAuthFailure(
        .configurationInvalid, "the key moves from the \(old.source.name) to a file only in a process that was started with --key file",
        details: [.init("path", "--key")])
    }
    if let previous = try await key.previous() {
      if case .success(let same) = previous.key, same.identifier == old.identifier {
        // The same key at another place, which may be the only one where it can still be got.
        old = same
      } else {
        _ = try await move(to: old, from: previous, [:])
      }
    }
    let new = try await key.makeNext(at: source)
    let drafts = try await disk.run { [self, old] () throws(OAuthFailure) -> [String: Draft] in
      var drafts: [String: Draft] = [:]
      do throws(OAuthFailure) {
        try key.replace(old, with: new) { () throws(OAuthFailure) in try draft(from: old, to: new, &drafts) }
      } catch {
        remove(drafts)
        throw error
      }
      return drafts
    }
    return try await move(to: new, from: StoreKey.Previous(identifier: old.identifier, key: .success(old)), drafts)
  }

  /// A grant that is sealed with the new key, in a temporary file.
  private struct Draft {
    let temporary: String
    /// The file that it replaces.
    let stamp: FileStamp
  }

  /// Seals every grant with the new key in temporary files. A full disk or an unreadable grant is found here, before anything has changed.
  private func draft(from old: StoreKey.Key, to new: StoreKey.Key, _ drafts: inout [String: Draft]) throws(OAuthFailure) {
    try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.syncFolder(folder) }
    for name in try grantNames() {
      let path = "\(folder)/\(name)"
      guard let stamp = try stamp(path), case .sealed(let file) = try resealed(path, from: .success(old), to: new) else { continue }
      let temporary = FileName.temporary(for: path, random)
      drafts[name] = Draft(temporary: temporary, stamp: stamp)
      do throws(PosixFile.Fault) {
        try PosixFile.writeNew(temporary, file)
      } catch {
        throw StorageFailure.from(PosixFile.Fault(path: path, code: error.code))
      }
    }
  }

  private func remove(_ drafts: [String: Draft]) {
    for draft in drafts.values { unlink(draft.temporary) }
  }

  /// Seals with the new key, one after the other, the grants that the old key seals, and forgets the old key. Returns the number of the new key's
  /// grants. If it throws, both keys stay in use.
  private func move(to new: StoreKey.Key, from previous: StoreKey.Previous, _ drafts: [String: Draft]) async throws -> Int {
    defer { remove(drafts) }
    let (names, leftovers) = try await disk.run { [self] () throws(OAuthFailure) in
      try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.syncFolder(folder) }
      // The lock file of an account without a grant says that a writer may be creating one.
      let locked = try StorageFailure.of { () throws(PosixFile.Fault) in
        try PosixFile.names(in: folder, endingIn: FileName.suffix + ".lock").map { String($0.dropLast(5)) }
      }
      let all = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder) }
      key.sweep(all)
      let own = Set(drafts.values.map(\.temporary))
      let leftovers = all.filter { FileName.target(ofTemporary: $0) != nil && !own.contains("\(folder)/\($0)") }
      return (Set(try grantNames() + locked), Dictionary(grouping: leftovers) { FileName.target(ofTemporary: $0) ?? "" })
    }
    var count = 0
    for name in names.sorted() {
      let path = "\(folder)/\(name)"
      let lock = try await GrantLock.take(
        path + ".lock", for: FileName.account(of: name), timeoutMilliseconds: timeoutMilliseconds, clock: clock, log: { _ in })
      defer { withExtendedLifetime(lock) {} }
      let isMoved = try await disk.run { [self] () throws(OAuthFailure) in
        // Nothing is writing the account's grant: these are of processes that were killed.
        for leftover in leftovers[name] ?? [] { unlink("\(folder)/\(leftover)") }
        return try move(path, drafts[name], previous, new)
      }
      if isMoved { count += 1 }
    }
    try await key.confirm(new, previous)
    return try await disk.run { [self, count] () throws(OAuthFailure) in
      try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.syncFolder(folder) }
      removeIndex()
      try key.finish(new, previous)
      return count
    }
  }

  /// Seals one grant with the new key, for a caller that holds its lock. Returns whether the new key seals it now.
  private func move(_ path: String, _ draft: Draft?, _ previous: StoreKey.Previous, _ new: StoreKey.Key) throws(OAuthFailure) -> Bool {
    if let draft, try stamp(path) == draft.stamp {
      try StorageFailure.of { () throws(PosixFile.Fault) in
        guard rename(draft.temporary, path) == 0 else { throw PosixFile.Fault(path: path, code: errno) }
      }
      return true
    }
    switch try resealed(path, from: previous.key, of: previous.identifier, to: new) {
    case .isNew: return true
    case .none: return false
    case .sealed(let file):
      try StorageFailure.of { () throws(PosixFile.Fault) in
        let temporary = try TemporaryFile(for: path, in: folder, random)
        try temporary.write(file)
        try temporary.move()
      }
      return true
    }
  }

  private enum Resealed {
    /// The content for the new key.
    case sealed([UInt8])
    /// The new key seals the grant already.
    case isNew
    /// There is no grant, or neither key has sealed it.
    case none
  }

  /// Returns what a grant's file has to contain. Its text is sealed again as it is, with members that only a later version knows.
  /// Throws for a grant that cannot be read or that a later version has sealed: the old key must not be forgotten then.
  private func resealed(
    _ path: String, from old: Result<StoreKey.Key, OAuthFailure>, of identifier: String? = nil, to new: StoreKey.Key
  ) throws(OAuthFailure) -> Resealed {
    let read = try StorageFailure.of { () throws(PosixFile.Fault) in
      try PosixFile.read(path, limit: Self.sizeLimit, check: owners.own)
    }
    guard let file = read else { return .none }
    do throws(SealedGrant.Fault) {
      let found = try SealedGrant.keyIdentifier(of: file)
      if found == new.identifier { return .isNew }
      if case .success(let old) = old, found == old.identifier {
        return .sealed(try SealedGrant.resealed(file, from: old.symmetric, to: new.symmetric))
      }
      guard case .failure = old, identifier == nil || found == identifier else { return .none }
    } catch {
      guard case .newer = error else { return .none }
      throw StorageFailure.newer(path)
    }
    // The key that is missing may be the one of this grant.
    _ = try old.get()
    return .none
  }

  private func grantNames() throws(OAuthFailure) -> [String] {
    try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder, endingIn: FileName.suffix) }
  }
}
