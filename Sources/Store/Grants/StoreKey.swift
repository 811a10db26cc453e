import Crypto
import OAuthCore
import Platform
import Synchronization

/// What the user has said about the key of a store.
package protocol KeyChoice: Sendable {
  /// Where the user wants the key; nil if nothing was chosen. A new store gets its key there.
  func wantedKey() throws(OAuthFailure) -> KeySource?

  /// Returns what a shell command prints.
  func output(_ command: String) async throws(OAuthFailure) -> [UInt8]
}

/// The key that seals the grants: 32 random bytes, in a file beside the grants, in the user's keyring, or where a command gets them.
///
/// A key in the file protects a grant file that is copied alone, but not against a reader of the whole folder.
final class StoreKey: Sendable {
  struct Key: Sendable {
    let bytes: LockedBytes
    let source: KeySource

    init(_ bytes: LockedBytes, _ source: KeySource) { (self.bytes, self.source) = (bytes, source) }

    var identifier: String { SealedGrant.identifier(of: bytes) }
    var symmetric: SymmetricKey { bytes.withBytes { SymmetricKey(data: $0) } }
    /// The content of the key's file.
    var file: KeyFile { source == .file ? .key(bytes) : .reference(source, identifier: identifier) }
  }

  /// The versions of the two key files.
  struct Stamps: Equatable {
    let present: FileStamp?
    let previous: FileStamp?
    var text: String { "\(present?.description ?? "")/\(previous?.description ?? "")" }
  }

  struct State {
    /// The present key first. While `rekey` is unfinished, the previous key follows.
    var keys: [Key] = []
    /// The files for which the keys were last loaded; nil if they must be loaded again.
    var loaded: Stamps?
    /// Why the present key could not be loaded.
    var failure: OAuthFailure?
    /// Why the previous key could not be loaded. Only the grants that it still seals need it.
    var previousFailure: OAuthFailure?
  }

  let path: String
  let previousPath: String
  let folder: String
  private let files: StoreFolder
  /// nil where no command is run.
  let choice: (any KeyChoice)?
  private let log: (any LogSink)?
  let state = Mutex(State())
  private let loading = SingleFlight<Void>()

  init(_ files: StoreFolder, choice: (any KeyChoice)?, log: (any LogSink)?) {
    (self.files, self.choice, self.log) = (files, choice, log)
    folder = files.path
    path = "\(folder)/\(KeyFile.name)"
    previousPath = "\(folder)/\(KeyFile.previousName)"
  }

  // MARK: Loading

  /// Where the store's key is; nil if there is none yet. While a key in the folder still opens grants, that is the place.
  var source: KeySource? {
    get throws(OAuthFailure) {
      if let previous = (try? content(previousPath)) ?? nil, previous.source == .file { return .file }
      return try content(path)?.source
    }
  }

  /// Loads the keys if their files have changed since the last time. A keyring or a command may take long, and threads that tasks share must not wait
  /// for them. Reading a grant therefore uses only loaded keys. Costs two `stat` calls if nothing has changed. Without `retries`, a failure for the
  /// same files is not tried again. The use of the key reports a failure.
  func prepare(retries: Bool) async {
    let stamps = stamps
    let isDone = state.withLock { $0.loaded == stamps && !(retries && $0.failure != nil) }
    if !isDone { _ = try? await loading.value(stamps.text) { [self] in await load(stamps) } }
    // A key that another process has moved since is not at its old place any more.
    if state.withLock({ $0.failure != nil }), stamps != self.stamps {
      _ = try? await loading.value(self.stamps.text) { [self] in await load(self.stamps) }
    }
  }

  var stamps: Stamps { Stamps(present: FileStamp.ifAny(path), previous: FileStamp.ifAny(previousPath)) }

  private func load(_ stamps: Stamps) async {
    let (present, failure) = await key(at: path)
    // Also if the present key is out of reach: the previous one may open some grants.
    let (previous, previousFailure) = await key(at: previousPath)
    let move = "is being moved, or a move was stopped: run oauth-stdio rekey again to finish it"
    if previous != nil { log?.take(.init(.warning, "the key of the grants in \(self.folder) \(move)")) }
    let keys = [present, previous].compactMap(\.self)
    state.withLock { state in
      // Without a key file, a command's key for the first grant stays.
      if failure != nil || !keys.isEmpty { state.keys = keys }
      (state.loaded, state.failure, state.previousFailure) = (stamps, failure, previousFailure)
    }
    guard let key = keys.first, let wanted = try? choice?.wantedKey(), wanted.name != key.source.name else { return }
    let (source, place) = (key.source.name, wanted.name)
    log?.take(.init(.warning, "the store's key stays in the \(source), not in the \(place): run oauth-stdio rekey \(place) to move it"))
  }

  /// Returns the key that the file at `path` names, and why it cannot be got; neither without a file.
  private func key(at path: String) async -> (Key?, failure: OAuthFailure?) {
    do throws(OAuthFailure) {
      guard let content = try content(path) else { return (nil, nil) }
      return (try await key(content, state.withLock(\.keys)), nil)
    } catch {
      return (nil, error)
    }
  }

  /// Returns the key that the file names, one of the `loaded` if possible.
  func key(_ content: KeyFile, _ loaded: [Key]) async throws(OAuthFailure) -> Key {
    if case .key(let bytes) = content { return Key(bytes, .file) }
    if let key = loaded.first(where: { $0.identifier == content.identifier }) { return Key(key.bytes, content.source) }
    return try await fetch(content.source, content.identifier)
  }

  /// Gets a key that is not in the folder. Throws if it is not the one that `identifier` names.
  func fetch(_ source: KeySource, _ identifier: String?) async throws(OAuthFailure) -> Key {
    var text: [UInt8]
    switch source {
    case .file: throw StorageFailure.keyUnusable(path)
    case .keyring:
      text = try await Blocking.run { () throws(OAuthFailure) in
        try StorageFailure.ofKeyring { () throws(Keyring.Fault) in try Keyring.find(.storeKey, identifier ?? "") }
      }
    case .command(let command):
      guard let choice else { throw StorageFailure.noCommands }
      text = try await choice.output(command)
    }
    defer { LockedBytes.wipe(&text) }
    text.removeAll { $0 == 0x20 || 0x09...0x0D ~= $0 }
    guard var bytes = try? Base64.decode(text), bytes.count == KeyFile.length else { throw StorageFailure.keyUnusable(in: source) }
    let key = Key(LockedBytes(taking: &bytes), source)
    guard identifier == nil || key.identifier == identifier else { throw StorageFailure.wrongKey(in: source, folder) }
    return key
  }

  /// Gets a new key of a command. One that prints another key each time would lose every grant.
  func fetchTwice(_ source: KeySource) async throws(OAuthFailure) -> Key {
    let key = try await fetch(source, nil)
    return try await fetch(source, key.identifier)
  }

  /// Gets the key of a command for a new store, because creating the key cannot wait for a command.
  func prepareNew() async throws(OAuthFailure) {
    guard state.withLock(\.keys.isEmpty), case .command(let command) = try choice?.wantedKey(), try content(path) == nil else { return }
    remember(try await fetchTwice(.command(command)))
  }

  func content(_ path: String) throws(OAuthFailure) -> KeyFile? {
    let read = try StorageFailure.of { () throws(PosixFile.Fault) in try files.read(path, limit: 8192, for: .key) }
    guard case (var bytes, let status)? = read else { return nil }
    // Uses the loaded key's memory again, because locking memory is slow. A stamp does not tell whether the file is the same: on a network file
    // system, opening a file asks the server, but `stat` may not.
    if let loaded = state.withLock(\.keys).first(where: { key in key.bytes.withBytes { $0.elementsEqual(bytes) } }) {
      LockedBytes.wipe(&bytes)
      return .key(loaded.bytes)
    }
    let content = try KeyFile(taking: &bytes, path)
    if case .command = content.source, status.st_uid != geteuid() || status.st_mode & 0o022 != 0 {
      throw StorageFailure.commandOfAnother(path)
    }
    return content
  }
}

/// Using the loaded keys.
extension StoreKey {
  /// Returns the present key, and the previous one if `rekey` is unfinished.
  /// With `isFresh` the files are read again: another process may have moved the key, or recreated the folder with another one.
  func keys(isFresh: Bool = false) throws(OAuthFailure) -> [Key] {
    let loaded = state.withLock(\.keys)
    if !isFresh, !loaded.isEmpty { return loaded }
    guard let present = try content(path) else { throw StorageFailure.keyMissing(path) }
    guard let key = loadedKey(present, loaded) else { throw state.withLock(\.failure) ?? StorageFailure.keyMoved(path) }
    var keys = [key]
    if let previous = (try? content(previousPath)) ?? nil, let key = loadedKey(previous, loaded) { keys.append(key) }
    state.withLock { [keys] in $0.keys = keys }
    return keys
  }

  /// Returns why a grant that no loaded key opens cannot be read; nil if no key is missing. The next request tries to load the key again.
  var missingKey: OAuthFailure? {
    let loaded = state.withLock(\.keys)
    guard let previous = (try? content(previousPath)) ?? nil, loadedKey(previous, loaded) == nil else { return nil }
    return state.withLock { state in
      state.loaded = nil
      return state.previousFailure ?? StorageFailure.keyMoved(path)
    }
  }

  /// Returns the key for a new grant, and creates it in a folder without grants. Returns nil if a moved key must be loaded first.
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

  func loadedKey(_ content: KeyFile, _ loaded: [Key]) -> Key? {
    if case .key(let bytes) = content { return loaded.first { $0.source == .file && $0.bytes === bytes } ?? Key(bytes, .file) }
    return loaded.first { $0.identifier == content.identifier }
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
