import Crypto
import OAuthCore
import Platform
import Synchronization

/// The key that seals the grants: 32 random bytes in a file that only its owner can read.
///
/// The key is in the same folder as the grants. It protects a grant file that is copied alone, but not against a reader of the whole folder.
final class KeyFile: Sendable {
  static let name = "key"

  let path: String
  private let folder: String
  private let owners: TrustedOwners
  private let random: @Sendable (Int) -> [UInt8]
  private let known = Mutex<SymmetricKey?>(nil)

  /// `random` returns that many bytes.
  init(folder: String, owners: TrustedOwners, random: @escaping @Sendable (Int) -> [UInt8]) {
    (self.folder, self.owners, self.random) = (folder, owners, random)
    path = "\(folder)/\(Self.name)"
  }

  /// With `isFresh` the file is read again: another process may have recreated the folder with another key.
  func key(isFresh: Bool = false) throws(OAuthFailure) -> SymmetricKey {
    if !isFresh, let key = known.withLock({ $0 }) { return key }
    guard let loaded = try load() else { throw StorageFailure.keyMissing(path) }
    return loaded
  }

  /// Returns the key for a new grant, and creates it in a folder without grants.
  func keyForWriting() throws(OAuthFailure) -> SymmetricKey {
    if let loaded = try load() { return loaded }
    let names = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder, endingIn: FileName.suffix) }
    // A new key would make the existing grants permanently unreadable. Another process may have created key and grant since the first look.
    if names.isEmpty { try make() }
    return try key(isFresh: true)
  }

  /// Returns the key, or nil if there is none yet.
  private func load() throws(OAuthFailure) -> SymmetricKey? {
    guard let bytes = try StorageFailure.of({ () throws(PosixFile.Fault) in try PosixFile.read(path, limit: 4096, check: owners.own) })
    else { return nil }
    guard bytes.count == 32 else { throw StorageFailure.keyUnusable(path) }
    let key = SymmetricKey(data: bytes)
    known.withLock { $0 = key }
    return key
  }

  /// Creates the key. If another process is faster, its key stays.
  private func make() throws(OAuthFailure) {
    let temporary = FileName.temporary(for: path, random)
    try StorageFailure.of { () throws(PosixFile.Fault) in
      try PosixFile.writeNew(temporary, random(32))
      // A link fails if the name exists. A rename would replace the other process's key.
      let linked = link(temporary, path)
      let code = errno
      unlink(temporary)
      guard linked == 0 || code == EEXIST else { throw PosixFile.Fault(path: path, code: code) }
      try PosixFile.syncFolder(folder)
    }
  }
}
