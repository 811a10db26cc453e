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

    /// Takes the bytes, which are zeroed.
    init(taking bytes: inout [UInt8], _ source: KeySource) {
      identifier = SealedGrant.identifier(of: SymmetricKey(data: bytes))
      self.bytes = LockedBytes(taking: &bytes)
      self.source = source
    }

    var symmetric: SymmetricKey { bytes.withBytes { SymmetricKey(data: $0) } }
  }

  let path: String
  let nextPath: String
  private let folder: String
  private let owners: TrustedOwners
  private let random: @Sendable (Int) -> [UInt8]
  /// Where the key of a new store is kept.
  private let wanted: @Sendable () throws(OAuthFailure) -> KeySource
  /// Returns what a shell command prints.
  private let output: @Sendable (_ command: String) async throws(OAuthFailure) -> [UInt8]
  private let known = Mutex<[Key]>([])
  /// Why the key could not be loaded.
  private let refusal = Mutex<OAuthFailure?>(nil)
  private let loading = SingleFlight<String, Void>()

  init(
    folder: String, owners: TrustedOwners, random: @escaping @Sendable (Int) -> [UInt8],
    wanted: @escaping @Sendable () throws(OAuthFailure) -> KeySource,
    output: @escaping @Sendable (_ command: String) async throws(OAuthFailure) -> [UInt8]
  ) {
    (self.folder, self.owners, self.random, self.wanted, self.output) = (folder, owners, random, wanted, output)
    path = "\(folder)/\(KeyFile.name)"
    nextPath = "\(folder)/\(KeyFile.nextName)"
  }

  // MARK: Reading

  /// Where the store's key is; nil if there is none yet.
  var source: KeySource? {
    get throws(OAuthFailure) {
      switch try content(path) {
      case nil: nil
      case .key: .file
      case .reference(let source, _): source
      }
    }
  }

  /// Loads the key if it is not in the folder. Every request calls this first, because the keyring or the command may take long, and a thread that
  /// tasks share must not wait for them. Costs nothing if the key is loaded. The first use of the key reports a failure.
  func prepare() async {
    guard known.withLock(\.isEmpty), let content = try? content(path) else { return }
    do {
      switch content {
      case .key(var bytes): remember(Key(taking: &bytes, .file))
      case .reference(let source, let identifier):
        try await loading.value(identifier) { [self] in remember(try await load(source, identifier)) }
      }
      // An unfinished `rekey` must not make the grants unusable that it has not reached.
      if let next = try? await unfinished() { remember(next) }
    } catch {
      refusal.withLock { $0 = error as? OAuthFailure }
    }
  }

  /// Returns the key, and the one that an unfinished `rekey` has begun to use.
  /// With `isFresh` the files are read again: another process may have moved the key, or recreated the folder with another one.
  func keys(isFresh: Bool = false) throws(OAuthFailure) -> [Key] {
    let loaded = known.withLock { $0 }
    if !isFresh, !loaded.isEmpty { return loaded }
    // If the key is not loaded, the next request loads it.
    known.withLock { $0 = [] }
    guard let first = try content(path) else { throw StorageFailure.keyMissing(path) }
    var keys = [try key(first, loaded)]
    if let next = try content(nextPath) {
      // Another process has just begun to move the key. The next request loads the new one.
      guard let next = try? key(next, loaded) else { return keys }
      keys.append(next)
    }
    let found = keys
    known.withLock { $0 = found }
    return keys
  }

  func key() throws(OAuthFailure) -> SymmetricKey { try keys()[0].symmetric }

  /// Returns the key for a new grant, and creates it in a folder without grants.
  func keyForWriting() throws(OAuthFailure) -> SymmetricKey {
    if let content = try content(path) {
      let key = try key(content, known.withLock { $0 })
      remember(key)
      return key.symmetric
    }
    let names = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder, endingIn: FileName.suffix) }
    // A new key would make the existing grants permanently unreadable. Another process may have created key and grant since the first look.
    if names.isEmpty { try make() }
    return try keys(isFresh: true)[0].symmetric
  }

  private func key(_ content: KeyFile, _ loaded: [Key]) throws(OAuthFailure) -> Key {
    switch content {
    case .key(var bytes): return Key(taking: &bytes, .file)
    case .reference(_, let identifier):
      if let key = loaded.first(where: { $0.identifier == identifier }) { return key }
      throw refusal.withLock(\.self) ?? StorageFailure.keyMoved(path)
    }
  }

  private func remember(_ key: Key) {
    refusal.withLock { $0 = nil }
    known.withLock { known in if !known.contains(where: { $0.identifier == key.identifier }) { known.append(key) } }
  }

  private func content(_ path: String) throws(OAuthFailure) -> KeyFile? {
    guard let bytes = try StorageFailure.of({ () throws(PosixFile.Fault) in try PosixFile.read(path, limit: 4096, check: owners.own) })
    else { return nil }
    return try KeyFile(bytes, path)
  }

  private func load(_ source: KeySource, _ identifier: String?) async throws(OAuthFailure) -> Key {
    let text: [UInt8]
    switch source {
    case .file: throw StorageFailure.keyUnusable(path)
    case .keyring:
      text = try await Blocking.run { () throws(OAuthFailure) in
        try StorageFailure.ofKeyring { () throws(Keyring.Fault) in try Keyring.find(identifier ?? "") }
      }
    case .command(let command): text = try await output(command)
    }
    let digits = String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
    guard var bytes = try? Base64.decode(digits), bytes.count == KeyFile.length else { throw StorageFailure.keyUnusable(in: source) }
    let key = Key(taking: &bytes, source)
    guard identifier == nil || key.identifier == identifier else { throw StorageFailure.wrongKey(in: source, folder) }
    return key
  }

  // MARK: Creating

  /// Gets the key of a command for a new store, because creating the key cannot wait for a command.
  func prepareNew() async throws(OAuthFailure) {
    guard known.withLock(\.isEmpty), try content(path) == nil, case .command(let command) = try wanted() else { return }
    remember(try await load(.command(command), nil))
  }

  /// Creates the key. If another process is faster, its key stays.
  private func make() throws(OAuthFailure) {
    let source = try wanted()
    var isOurs = false
    let content: KeyFile
    switch source {
    case .file: content = .key(random(KeyFile.length))
    case .keyring: content = try putInKeyring().content
    case .command:
      guard let key = known.withLock({ $0.last { $0.source == source } }) else { throw StorageFailure.keyMoved(path) }
      content = .reference(source, identifier: key.identifier)
    }
    defer { if !isOurs, case .reference(.keyring, let id) = content { try? Keyring.remove(id) } }
    isOurs = try StorageFailure.of { () throws(PosixFile.Fault) in
      let temporary = FileName.temporary(for: path, random)
      try PosixFile.writeNew(temporary, content.bytes)
      // A link fails if the name exists. A rename would replace the other process's key.
      let linked = link(temporary, path)
      let code = errno
      unlink(temporary)
      guard linked == 0 || code == EEXIST else { throw PosixFile.Fault(path: path, code: code) }
      try PosixFile.syncFolder(folder)
      return linked == 0
    }
  }

  /// Returns a new key that is in the keyring, and the content of its file.
  private func putInKeyring() throws(OAuthFailure) -> (key: Key, content: KeyFile) {
    var bytes = random(KeyFile.length)
    let text = Array(Base64.encode(bytes).utf8)
    let key = Key(taking: &bytes, .keyring)
    try StorageFailure.ofKeyring { () throws(Keyring.Fault) in
      try Keyring.store(key.identifier, label: "Key of the OAuth grants in \(folder)", text)
      // A key that cannot be read back would lose every grant.
      guard try Keyring.find(key.identifier) == text else { throw .failed("it does not return what was stored") }
    }
    remember(key)
    return (key, .reference(.keyring, identifier: key.identifier))
  }

  // MARK: Moving

  /// Returns the key of an unfinished move; nil if there is none.
  func unfinished() async throws(OAuthFailure) -> Key? {
    switch try content(nextPath) {
    case nil: return nil
    case .key(var bytes): return Key(taking: &bytes, .file)
    case .reference(let source, let identifier): return try await load(source, identifier)
    }
  }

  /// Returns a new key at `source` and the content of its file. A command's key is the one that it prints.
  func makeNext(at source: KeySource) async throws(OAuthFailure) -> (key: Key, content: KeyFile) {
    switch source {
    case .file:
      let bytes = random(KeyFile.length)
      var copy = bytes
      return (Key(taking: &copy, .file), .key(bytes))
    case .keyring: return try await Blocking.run { [self] () throws(OAuthFailure) in try putInKeyring() }
    case .command:
      let key = try await load(source, nil)
      return (key, .reference(source, identifier: key.identifier))
    }
  }

  /// Uses `key` from now on, and removes the other from the keyring if it was there. What remains of it does no harm.
  func use(_ key: Key, insteadOf other: Key) {
    known.withLock { $0 = [key] }
    if other.source == .keyring, other.identifier != key.identifier { try? Keyring.remove(other.identifier) }
  }
}
