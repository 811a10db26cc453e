import Crypto
import OAuthCore
import Platform
import Synchronization

/// The key that seals the grants: 32 random bytes, in a file beside the grants, in the user's keyring, or where a command gets them.
///
/// A key in the file protects a grant file that is copied alone, but not against a reader of the whole folder.
final class StoreKey: Sendable {
  struct Key: Sendable {
    let bytes: LockedBytes
    let identifier: String
    let source: KeySource

    init(_ bytes: LockedBytes, _ source: KeySource) {
      (self.bytes, self.source) = (bytes, source)
      identifier = SealedGrant.identifier(of: bytes)
    }

    var symmetric: SymmetricKey { bytes.withBytes { SymmetricKey(data: $0) } }
    /// The content of the key's file.
    var file: KeyFile { source == .file ? .key(bytes) : .reference(source, identifier: identifier) }
  }

  /// The versions of the two key files.
  private struct Stamps: Hashable {
    let present: FileStamp?
    let previous: FileStamp?
  }

  private struct State {
    /// The present key first. While `rekey` is unfinished, the previous key follows.
    var keys: [Key] = []
    /// The files for which the keys were last loaded; nil if they must be loaded again.
    var loaded: Stamps?
    /// Where the key was then; the folder, if a key there opens grants.
    var source: KeySource?
    /// Why the present key could not be loaded.
    var failure: OAuthFailure?
    /// Why the previous key could not be loaded. Only the grants that it still seals need it.
    var previousFailure: OAuthFailure?
    /// Whether the log has said that the key is elsewhere than the user wants it.
    var isNoted = false
  }

  let path: String
  let previousPath: String
  private let folder: String
  private let owners: TrustedOwners
  private let random: @Sendable (Int) -> [UInt8]
  /// Where the user wants the key; nil if nothing was chosen. A new store gets its key there.
  private let wanted: @Sendable () throws(OAuthFailure) -> KeySource?
  /// Returns what a shell command prints.
  private let output: @Sendable (_ command: String) async throws(OAuthFailure) -> [UInt8]
  private let log: @Sendable (LogMessage) -> Void
  private let state = Mutex(State())
  private let loading = SingleFlight<Stamps, Void>()

  init(
    folder: String, owners: TrustedOwners, random: @escaping @Sendable (Int) -> [UInt8],
    wanted: @escaping @Sendable () throws(OAuthFailure) -> KeySource?,
    output: @escaping @Sendable (_ command: String) async throws(OAuthFailure) -> [UInt8], log: @escaping @Sendable (LogMessage) -> Void
  ) {
    (self.folder, self.owners, self.random, self.wanted, self.output, self.log) = (folder, owners, random, wanted, output, log)
    path = "\(folder)/\(KeyFile.name)"
    previousPath = "\(folder)/\(KeyFile.previousName)"
  }

  // MARK: Loading

  /// Where the store's key is; nil if there is none yet. While a key in the folder still opens grants, that is the place.
  var source: KeySource? {
    get throws(OAuthFailure) {
      let stamps = stamps
      if let known = state.withLock({ $0.loaded == stamps && $0.failure == nil ? .some($0.source) : nil }) { return known }
      if let previous = (try? content(previousPath)) ?? nil, previous.source == .file { return .file }
      return try content(path)?.source
    }
  }

  /// Whether a client may move the key from one place to another. A key beside the grants protects less, so only the user chooses that.
  func mayMove(from old: KeySource, to new: KeySource) throws(OAuthFailure) -> Bool {
    if new != .file || old == .file { return true }
    return try wanted() == .file
  }

  /// Loads the keys if their files have changed since the last time. A keyring or a command may take long, and a thread that tasks share must not
  /// wait for them, so reading a grant only uses the keys that are loaded. Costs two `stat` calls if nothing has changed.
  /// Without `retries`, a failure for the same files is not tried again. The use of the key reports a failure.
  func prepare(retries: Bool) async {
    let stamps = stamps
    let isDone = state.withLock { $0.loaded == stamps && !(retries && $0.failure != nil) }
    if !isDone { _ = try? await loading.value(stamps) { [self] in await load(stamps) } }
    // A key that another process has moved since is not at its old place any more.
    if state.withLock({ $0.failure != nil }), stamps != self.stamps {
      _ = try? await loading.value(self.stamps) { [self] in await load(self.stamps) }
    }
  }

  /// Loads the key at once if its file contains it. Returns false if `prepare` has to get a key from elsewhere, or if `rekey` is unfinished.
  func loadFromFolder() -> Bool {
    let stamps = stamps
    if state.withLock({ $0.loaded == stamps && $0.failure == nil && !$0.keys.isEmpty }) { return true }
    guard stamps.previous == nil, case .key(let bytes)?? = try? content(path) else { return false }
    let key = Key(bytes, .file)
    state.withLock { state in
      state.keys = [key]
      (state.loaded, state.source, state.failure, state.previousFailure) = (stamps, .file, nil, nil)
    }
    note(key)
    return true
  }

  private var stamps: Stamps { Stamps(present: FileStamp.ifAny(path), previous: FileStamp.ifAny(previousPath)) }

  private func load(_ stamps: Stamps) async {
    let known = state.withLock(\.keys)
    var keys: [Key] = []
    var (failure, previousFailure): (OAuthFailure?, OAuthFailure?)
    do throws(OAuthFailure) {
      if let content = try content(path) { keys.append(try await key(content, known)) }
    } catch {
      failure = error
    }
    do throws(OAuthFailure) {
      // Also if the present key is out of reach: the previous one may open some grants.
      if let content = try content(previousPath) {
        keys.append(try await key(content, known))
        log(.keyMoveUnfinished(folder))
      }
    } catch {
      previousFailure = error
    }
    let source = failure == nil ? keys.contains { $0.source == .file } ? .file : keys.first?.source : (try? content(path))??.source
    state.withLock { [keys, failure, previousFailure] state in
      // Without a key file, a command's key for the first grant stays.
      if failure != nil || !keys.isEmpty { state.keys = keys }
      (state.loaded, state.source, state.failure, state.previousFailure) = (stamps, source, failure, previousFailure)
    }
    if let key = keys.first { note(key) }
  }

  /// Says once in the log if the key is elsewhere than the user wants it.
  private func note(_ key: Key) {
    guard let wanted = (try? wanted()) ?? nil, wanted.name != key.source.name else { return }
    let isNew = state.withLock { state in
      defer { state.isNoted = true }
      return !state.isNoted
    }
    if isNew { log(.keyElsewhere(key.source.name, wanted: wanted.name)) }
  }

  /// Returns the key that the file names, one of the `known` if possible.
  private func key(_ content: KeyFile, _ known: [Key]) async throws(OAuthFailure) -> Key {
    if case .key(let bytes) = content { return Key(bytes, .file) }
    if let key = known.first(where: { $0.identifier == content.identifier }) { return Key(key.bytes, content.source) }
    return try await fetch(content.source, content.identifier)
  }

  /// Gets a key that is not in the folder. Throws if it is another one than `identifier` says.
  private func fetch(_ source: KeySource, _ identifier: String?) async throws(OAuthFailure) -> Key {
    var text: [UInt8]
    switch source {
    case .file: throw StorageFailure.keyUnusable(path)
    case .keyring:
      text = try await Blocking.run { () throws(OAuthFailure) in
        try StorageFailure.ofKeyring { () throws(Keyring.Fault) in try Keyring.find(.storeKey, identifier ?? "") }
      }
    case .command(let command): text = try await output(command)
    }
    defer { LockedBytes.wipe(&text) }
    text.removeAll { $0 == 0x20 || 0x09...0x0D ~= $0 }
    guard var bytes = try? Base64.decode(text), bytes.count == KeyFile.length else { throw StorageFailure.keyUnusable(in: source) }
    let key = Key(LockedBytes(taking: &bytes), source)
    guard identifier == nil || key.identifier == identifier else { throw StorageFailure.wrongKey(in: source, folder) }
    return key
  }

  /// Gets a new key of a command. One that prints another key each time would lose every grant.
  private func fetchTwice(_ source: KeySource) async throws(OAuthFailure) -> Key {
    let key = try await fetch(source, nil)
    return try await fetch(source, key.identifier)
  }

  private func content(_ path: String) throws(OAuthFailure) -> KeyFile? {
    let read = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.read(path, limit: 8192, check: owners.own) }
    guard var bytes = read else { return nil }
    return try KeyFile(taking: &bytes, path)
  }

  // MARK: Using

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

  func key() throws(OAuthFailure) -> SymmetricKey { try keys()[0].symmetric }

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
    if let unchanged { return unchanged }
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

  /// The present key if its file is the one for which the keys were loaded. Reading the file again would take 34 µs of
  /// each refresh instead of 2.
  private var unchanged: Key? {
    let stamps = stamps
    return state.withLock { $0.loaded == stamps && $0.failure == nil && stamps.present != nil ? $0.keys.first : nil }
  }

  private func loadedKey(_ content: KeyFile, _ known: [Key]) -> Key? {
    if case .key(let bytes) = content { return Key(bytes, .file) }
    return known.first { $0.identifier == content.identifier }
  }

  private func remember(_ key: Key) {
    state.withLock { state in
      state.failure = nil
      state.keys = [key] + state.keys.filter { $0.identifier != key.identifier }
    }
  }

  // MARK: Creating

  /// Creates the key file for a command's key with which other machines have sealed their grants. Returns false if the user names no command.
  func adopt(_ identifier: String) async throws(OAuthFailure) -> Bool {
    guard case .command(let command) = try wanted() else { return false }
    remember(try await fetch(.command(command), identifier))
    try make()
    return true
  }

  /// Gets the key of a command for a new store, because creating the key cannot wait for a command.
  func prepareNew() async throws(OAuthFailure) {
    guard state.withLock(\.keys.isEmpty), case .command(let command) = try wanted(), try content(path) == nil else { return }
    remember(try await fetchTwice(.command(command)))
  }

  /// Creates the key. If another process is faster, its key stays.
  private func make() throws(OAuthFailure) {
    let source = try wanted() ?? .file
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
    let temporary = FileName.temporary(for: path, random)
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
    var bytes = random(KeyFile.length)
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
  private func discard(_ key: Key) {
    if key.source == .keyring { try? Keyring.remove(.storeKey, key.identifier) }
  }

  // MARK: Moving

  /// The key that an unfinished `rekey` replaces.
  struct Previous: Sendable {
    /// nil if the file is damaged.
    let identifier: String?
    let key: Result<Key, OAuthFailure>
  }

  /// Returns the present key as its file names it now; nil if there is none.
  func present() async throws(OAuthFailure) -> Key? {
    guard let content = try content(path) else { return nil }
    let (known, failure) = state.withLock { ($0.keys, $0.loaded == stamps ? $0.failure : nil) }
    // The request has just tried.
    if let failure, loadedKey(content, known) == nil { throw failure }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      throw OAuthFailure(
        .storageFailure, "the key file \(path) is a link, and a new key would be beside the grants: replace the link by the file first",
        details: [.init("path", .string(path))])
    }
    return try await key(content, known)
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

  /// Names `next` in the key file and `present` in the file of the previous key. `draft` does what must succeed before.
  /// If it throws, the present key stays, and `next` is removed from the keyring. The folder still has to be synced.
  func replace(_ present: Key, with next: Key, after draft: () throws(OAuthFailure) -> Void) throws(OAuthFailure) {
    do throws(OAuthFailure) {
      try draft()
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
    let temporary = FileName.temporary(for: path, random)
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
