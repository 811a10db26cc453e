import OAuthCore
import Platform

/// Creating the key.
extension StoreKey {
  /// Creates the key file for a command's key with which other machines have sealed their grants. Returns false if the user names no command.
  func adopt(_ identifier: String) async throws(OAuthFailure) -> Bool {
    guard case .command(let command) = try choice?.wantedKey() else { return false }
    remember(try await fetch(.command(command), identifier))
    try make()
    return true
  }

  /// Creates the key. If another process is faster, its key stays.
  func make() throws(OAuthFailure) {
    let source = try choice?.wantedKey() ?? .file
    let key: Key
    switch source {
    case .file: key = randomKey(.file)
    case .keyring: key = try putInKeyring()
    case .command:
      guard let printed = state.withLock({ $0.keys.first { $0.source == source } }) else { throw StorageFailure.keyMoved(path) }
      key = printed
    }
    var isInUse = false
    defer { if !isInUse { discard(key) } }
    let temporary = FileName.temporary(for: path)
    try StorageFailure.of { () throws(PosixFile.Fault) in
      try key.file.write(to: temporary)
      // A link fails if the name exists. A rename would replace the other process's key.
      isInUse = link(temporary, path) == 0
      let code = errno
      unlink(temporary)
      guard isInUse || code == EEXIST else { throw PosixFile.Fault(path: path, code: code) }
      try PosixFile.syncFolder(folder)
    }
    if isInUse { remember(key) }
  }

  private func randomKey(_ source: KeySource) -> Key {
    var bytes = SystemRandom.bytes(KeyFile.length)
    return Key(LockedBytes(taking: &bytes), source)
  }

  /// Returns a new key that is in the keyring.
  private func putInKeyring() throws(OAuthFailure) -> Key {
    let key = randomKey(.keyring)
    var text = key.bytes.withBytes { Array(Base64.encode(Array($0)).utf8) }
    defer { LockedBytes.wipe(&text) }
    try StorageFailure.ofKeyring { () throws(Keyring.Fault) in
      try Keyring.store(.storeKey, key.identifier, label: "Key of the OAuth grants in \(folder)", text)
      // A key that cannot be read back would lose every grant.
      guard try Keyring.find(.storeKey, key.identifier) == text else { throw .failed("it does not return what was stored") }
    }
    return key
  }

  /// Removes from the keyring a key that no file names. A key that stays there does no harm.
  private func discard(_ key: Key) { if key.source == .keyring { try? Keyring.remove(.storeKey, key.identifier) } }
}

/// Moving the key to another place.
extension StoreKey {
  /// The key that an unfinished `rekey` replaces.
  struct Previous: Sendable {
    /// nil if the file is damaged.
    let identifier: String?
    let key: Result<Key, OAuthFailure>
  }

  /// Returns the present key as its file names it now; nil if there is none.
  func present() async throws(OAuthFailure) -> Key? {
    guard let content = try content(path) else { return nil }
    let (loaded, failure) = state.withLock { ($0.keys, $0.loaded == stamps ? $0.failure : nil) }
    // The request has just tried.
    if let failure, loadedKey(content, loaded) == nil { throw failure }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      throw OAuthFailure(
        .storageFailure, "the key file \(path) is a link, and a new key would be beside the grants: replace the link by the file first",
        details: [.init("path", .string(path))])
    }
    return try await key(content, loaded)
  }

  /// Returns the previous key; nil if no `rekey` is unfinished.
  func previous() async throws(OAuthFailure) -> Previous? {
    guard try StorageFailure.of({ () throws(PosixFile.Fault) in try FileStamp.of(previousPath) }) != nil else { return nil }
    var identifier: String?
    do throws(OAuthFailure) {
      guard let content = try content(previousPath) else { return nil }
      identifier = content.identifier
      return Previous(identifier: identifier, key: .success(try await key(content, state.withLock(\.keys))))
    } catch {
      return Previous(identifier: identifier, key: .failure(error))
    }
  }

  /// Returns a new key at `source`. A command's key is the one that it prints.
  func makeNext(at source: KeySource) async throws(OAuthFailure) -> Key {
    switch source {
    case .file: randomKey(.file)
    case .keyring: try await Blocking.run { [self] () throws(OAuthFailure) in try putInKeyring() }
    case .command: try await fetchTwice(source)
    }
  }

  /// Names `next` in the key file and `present` in the file of the previous key.
  /// If it throws, the present key stays, and `next` is removed from the keyring. The folder still has to be synced.
  func replace(_ present: Key, with next: Key) throws(OAuthFailure) {
    do throws(OAuthFailure) {
      try StorageFailure.of { () throws(PosixFile.Fault) in
        // Each file replaces another in one step: a killed process leaves no part of a file.
        try put(present.file, at: previousPath)
        try PosixFile.syncFolder(folder)
        try put(next.file, at: path)
      }
    } catch {
      // A network file system may rename a file and report a failure.
      if (try? content(path))??.identifier == present.identifier {
        unlink(previousPath)
        discard(next)
      }
      throw error
    }
    state.withLock { $0.keys = [next, present] }
  }

  private func put(_ content: KeyFile, at path: String) throws(PosixFile.Fault) {
    let temporary = FileName.temporary(for: path)
    try content.write(to: temporary)
    guard rename(temporary, path) == 0 else {
      let code = errno
      unlink(temporary)
      throw PosixFile.Fault(path: path, code: code)
    }
  }

  /// Throws unless the folder still has both key files and the present key can be got again from its place. The previous key must not be forgotten
  /// before: a command may read what the move has replaced, and a keyring may be another one by now.
  func confirm(_ present: Key, _ previous: Previous) async throws(OAuthFailure) {
    let (now, before) = (try content(path), try? content(previousPath))
    guard now?.identifier == present.identifier, FileStamp.ifAny(previousPath) != nil,
      previous.identifier == nil || before?.identifier == previous.identifier
    else { throw StorageFailure.keyMoved(path) }
    if present.source != .file { _ = try await fetch(present.source, present.identifier) }
  }

  /// Removes what killed moves have left: keys in temporary files.
  func sweep(_ names: [String]) {
    for name in names where [KeyFile.name, KeyFile.previousName].contains(FileName.target(ofTemporary: name)) {
      unlink("\(folder)/\(name)")
    }
  }

  /// Forgets the previous key, which seals no grant any more.
  func finish(_ present: Key, _ previous: Previous) throws(OAuthFailure) {
    try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.remove(previousPath, in: folder) }
    state.withLock { $0.keys = [present] }
    guard case .success(let key) = previous.key, key.identifier != present.identifier else { return }
    discard(key)
  }
}
