import OAuthCore
import Platform

/// Using the loaded keys.
extension StoreKey {
  /// Returns the present key, and the previous one if `rekey` is unfinished.
  /// With `isFresh` the files are read again: another process may have moved the key, or recreated the folder with another one.
  func keys(isFresh: Bool = false) throws(OAuthFailure) -> [Key] {
    let known = state.withLock(\.keys)
    if !isFresh, !known.isEmpty { return known }
    guard let present = try content(path) else { throw StorageFailure.keyMissing(path) }
    guard let key = loadedKey(present, known) else { throw state.withLock(\.failure) ?? StorageFailure.keyMoved(path) }
    var keys = [key]
    if let previous = (try? content(previousPath)) ?? nil, let key = loadedKey(previous, known) { keys.append(key) }
    state.withLock { [keys] in $0.keys = keys }
    return keys
  }

  /// Returns why a grant that no loaded key opens cannot be read; nil if no key is missing. The next request tries to load the key again.
  var missingKey: OAuthFailure? {
    let known = state.withLock(\.keys)
    guard let previous = (try? content(previousPath)) ?? nil, loadedKey(previous, known) == nil else { return nil }
    return state.withLock { state in
      state.loaded = nil
      return state.previousFailure ?? StorageFailure.keyMoved(path)
    }
  }

  /// Returns the key for a new grant, and creates it in a folder without grants. Returns nil if another process has moved the key, so that it must be
  /// loaded first.
  func keyForWriting() throws(OAuthFailure) -> Key? {
    var found = try content(path)
    if found == nil {
      let names = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder, endingIn: FileName.suffix) }
      // A new key would make the existing grants permanently unreadable. Another process may have created key and grant since the first look.
      if names.isEmpty { try make() }
      found = try content(path)
    }
    guard let content = found else { throw StorageFailure.keyMissing(path) }
    guard let key = loadedKey(content, state.withLock(\.keys)) else {
      if let failure = state.withLock(\.failure) { throw failure }
      return nil
    }
    remember(key)
    return key
  }

  func loadedKey(_ content: KeyFile, _ known: [Key]) -> Key? {
    if case .key(let bytes) = content { return known.first { $0.source == .file && $0.bytes === bytes } ?? Key(bytes, .file) }
    return known.first { $0.identifier == content.identifier }
  }

  func remember(_ key: Key) {
    state.withLock { state in
      state.failure = nil
      // Each write comes here, and nearly always with the same key.
      if state.keys.first?.bytes === key.bytes { return }
      state.keys = [key] + state.keys.filter { $0.identifier != key.identifier }
    }
  }
}
