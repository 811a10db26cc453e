import OAuthCore
import Platform

extension FileStore {
  /// Reads every grant file that has changed since it was last read, and moves none. A damaged file is set aside when its account is used.
  /// Leaves out files that were deleted meanwhile.
  package func list() async throws(OAuthFailure) -> [ListedAccount] {
    try await disk.run { [self] () throws(OAuthFailure) in
      let names = try names()
      if names.isEmpty { return [] }
      let root = PosixFile.retry { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      guard root >= 0 else { throw StorageFailure.from(PosixFile.Fault(path: folder, code: errno)) }
      defer { close(root) }
      let noted = Set(names.compactMap { $0.hasSuffix(FileName.useSuffix) ? String($0.dropLast(FileName.useSuffix.utf8.count)) : nil })
      // Taken once. A thousand accounts would wait for the lock two thousand times.
      let snapshot = state.withLock(\.self)
      // In order, because the accounts are sorted later, and their elements are large.
      return names.filter { $0.hasSuffix(FileName.suffix) }.sorted().compactMap { name in
        let note = noted.contains(name) ? try? FileStamp.of(name + FileName.useSuffix, in: root, folder) : nil
        return listed(name, in: root, snapshot, noted: note?.seconds)
      }
    }
  }

  private func names() throws(OAuthFailure) -> [String] {
    try checkFolder()
    return try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder) }
  }

  /// The names of the grant files.
  func grantNames() throws(OAuthFailure) -> [String] { try names().filter { $0.hasSuffix(FileName.suffix) } }

  /// Returns nil if the file was deleted meanwhile.
  private func listed(_ name: String, in root: Int32, _ snapshot: State, noted: Int?) -> ListedAccount? {
    let problem: OAuthFailure
    do {
      let stamp = try StorageFailure.of { () throws(PosixFile.Fault) in try FileStamp.of(name, in: root, folder) }
      guard let stored = try stored(as: name, stamp, snapshot) else { return nil }
      return ListedAccount(stored, usedAt: later(noted, snapshot.used[name]))
    } catch Unreadable.stays(let failure) {
      problem = failure
    } catch {
      problem = error as? OAuthFailure ?? StorageFailure.damaged(path(named: name))
    }
    return ListedAccount(account: FileName.account(of: name), problem: problem)
  }

  /// Bytes. Reading a grant needs as much stack as on libdispatch's threads.
  private static let stackSize = 512 << 10
  /// Seconds between two tries to watch a folder that is missing or could not be watched.
  private static let pause: UInt32 = 1

  package func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) throws(OAuthFailure) {
    // Before the first account there is no folder. The thread looks for one that cannot be created, as for one that was deleted.
    // A home that does not exist is not made: the user of a service often has none.
    var place = folder[...]
    while !place.isEmpty, access(String(place), F_OK) != 0 { place = place[..<(place.lastIndex(of: "/") ?? place.startIndex)] }
    if !place.isEmpty { _ = try? makeFolder() }
    let first = Result { () throws(PosixFile.Fault) in try FolderWatch(folder) }
    Thread.start(stackSize: Self.stackSize) { [folder, key, log] in
      var watch = try? first.get()
      while true {
        do throws(PosixFile.Fault) {
          try watch?.report {
            for account in Self.accounts($0) {
              Task {
                // That of a new store is as new as the grant.
                await key.prepare(retries: false)
                onChange(account)
              }
            }
          }
        } catch {
          onChange(nil)
          if error.code != ENOENT { log?.take(.storeNotWatched(StorageFailure.from(error).message)) }
        }
        watch = nil
        sleep(Self.pause)
        watch = try? FolderWatch(folder)
        // What has changed meanwhile is unknown.
        if watch != nil { onChange(nil) }
      }
    }
    if case .failure(let fault) = first, fault.code != ENOENT { throw StorageFailure.from(fault) }
  }

  /// Returns the accounts whose grants have changed. The keys, the locks and temporary files are not the grant of an account.
  private static func accounts(_ names: Set<String>) -> Set<String?> {
    Set(names.filter(FileName.isGrant).map { FileName.isDigest($0) ? nil : FileName.account(of: $0) })
  }

  /// Loads the key if it is not in the folder. To be called before the store is used.
  package func prepare(_ account: String? = nil) async { await key.prepare(retries: true) }

  package func keyIdentifier() async throws(OAuthFailure) -> String? {
    await prepare()
    return FileStamp.ifAny(key.path) == nil ? nil : try key.keys()[0].identifier
  }

  /// Where the store's key is; before the first grant, where the user wants it. A use of the key reports why its file cannot be read.
  package var keySource: KeySource? { try? key.source ?? key.choice?.wantedKey() }

  /// Seals every grant with a new key, which is stored at `source`. Returns their number.
  ///
  /// The new key becomes the present one, and the file `key.previous` names the old one until no grant needs it. Both open the store meanwhile.
  /// Each grant is sealed again under its account's lock: a writer that still has the old key finishes first. A process that is killed loses
  /// nothing, and neither does one whose disk fails; the next call finishes the move. A grant that neither key opens stays as it is.
  package func rekey(to source: KeySource) async throws -> Int {
    try await disk.run { [self] () throws(OAuthFailure) in try makeFolder() }
    // Only one process moves the key.
    let lock = try await GrantLock.take(key.path + ".lock", in: files, for: nil, timeoutMilliseconds: timeoutMilliseconds, clock: clock)
    defer { withExtendedLifetime(lock) {} }
    guard var old = try await key.present() else {
      // There is no grant. The first one creates the key.
      throw OAuthFailure(.storageFailure, "the store has no key yet: start the process with --key \(source.name)")
    }
    if let previous = try await key.previous() {
      if case .success(let same) = previous.key, same.identifier == old.identifier {
        // The same key at another place, which may be the only one where it can still be got.
        old = same
      } else {
        _ = try await move(to: old, from: previous)
      }
    }
    // A grant that cannot be read is found here, before anything has changed.
    try await disk.run { [self, old] () throws(OAuthFailure) in
      for name in try grantNames() { _ = try resealed("\(folder)/\(name)", from: .success(old), to: old) }
    }
    let new = try await key.makeNext(at: source)
    try await disk.run { [self, old] () throws(OAuthFailure) in try key.replace(old, with: new) }
    return try await move(to: new, from: StoreKey.Previous(identifier: old.identifier, key: .success(old)))
  }

  /// Seals with the new key, one after the other, the grants that the old key seals, and forgets the old key. Returns the number of the new key's
  /// grants. If it throws, both keys stay in use.
  private func move(to new: StoreKey.Key, from previous: StoreKey.Previous) async throws -> Int {
    let names = try await disk.run { [self] () throws(OAuthFailure) in
      let names = try StorageFailure.of { () throws(PosixFile.Fault) in
        try PosixFile.syncFolder(folder)
        return try PosixFile.names(in: folder)
      }
      key.sweep(names)
      // The lock file of an account without a grant says that a writer may be creating one.
      let lock = ".lock"
      return Set(names.map { $0.hasSuffix(lock) ? String($0.dropLast(lock.count)) : $0 }.filter { $0.hasSuffix(FileName.suffix) }).sorted()
    }
    var count = 0
    for name in names {
      let path = "\(folder)/\(name)"
      let lock = try await GrantLock.take(
        path + ".lock", in: files, for: FileName.account(of: name), timeoutMilliseconds: timeoutMilliseconds, clock: clock)
      defer { withExtendedLifetime(lock) {} }
      if try await disk.run({ [self] () throws(OAuthFailure) in try move(path, previous, new) }) { count += 1 }
    }
    try await key.confirm(new, previous)
    return try await disk.run { [self, count] () throws(OAuthFailure) in
      try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.syncFolder(folder) }
      try key.finish(new, previous)
      return count
    }
  }

  /// Seals one grant with the new key, for a caller that holds its lock. Returns whether the new key seals it now.
  private func move(_ path: String, _ previous: StoreKey.Previous, _ new: StoreKey.Key) throws(OAuthFailure) -> Bool {
    switch try resealed(path, from: previous.key, of: previous.identifier, to: new) {
    case .isNew: return true
    case .none: return false
    case .sealed(let file):
      try replace(path, by: file)
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
      try files.read(path, limit: Self.sizeLimit)?.bytes
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
}
