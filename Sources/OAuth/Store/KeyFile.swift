import Crypto
import OAuthCore
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The key that seals the grants: 32 random bytes in a file that only its owner can read.
///
/// The key is in the same folder as the grants. It protects a grant file that is copied alone, but not against a reader of the whole folder.
struct KeyFile {
  static let name = "key"

  let folder: String
  let owners: TrustedOwners
  var path: String { "\(folder)/\(Self.name)" }

  /// Returns the key, or nil if there is none yet.
  func load() throws(OAuthFailure) -> SymmetricKey? {
    let path = path
    guard let bytes = try StorageFailure.of({ () throws(PosixFile.Fault) in try PosixFile.read(path, limit: 4096, check: owners.own) })
    else { return nil }
    guard bytes.count == 32 else { throw StorageFailure.keyUnusable(path) }
    return SymmetricKey(data: bytes)
  }

  /// Creates the key. If another process is faster, its key is used.
  func make(_ random: (Int) -> [UInt8]) throws(OAuthFailure) -> SymmetricKey {
    let path = path
    let temporary = TemporaryName.of(path, random)
    let bytes = random(32)
    try StorageFailure.of { () throws(PosixFile.Fault) in
      try PosixFile.writeNew(temporary, bytes)
      // A link fails if the name exists. A rename would replace the other process's key.
      let linked = link(temporary, path)
      let code = errno
      unlink(temporary)
      guard linked == 0 || code == EEXIST else { throw PosixFile.Fault(path: path, code: code) }
      try PosixFile.syncFolder(folder)
    }
    guard let key = try load() else { throw StorageFailure.keyMissing(path) }
    return key
  }
}
