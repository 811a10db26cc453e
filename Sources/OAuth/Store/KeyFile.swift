import Crypto

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The key that grants are sealed with: 32 random bytes in a file that only its owner can read.
///
/// It lies beside what it opens, so it protects a grant file that is copied alone, not against whoever can read the whole folder.
struct KeyFile {
  static let name = "key"

  let folder: String
  let owners: TrustedOwners
  var path: String { "\(folder)/\(Self.name)" }

  /// nil where there is no key yet.
  func load() throws(OAuthFailure) -> SymmetricKey? {
    let path = path
    guard let bytes = try StorageFailure.of({ () throws(PosixFile.Fault) in try PosixFile.read(path, limit: 4096, check: owners.own) })
    else { return nil }
    guard bytes.count == 32 else { throw StorageFailure.keyUnusable(path) }
    return SymmetricKey(data: bytes)
  }

  /// Makes the key; when another process was faster, its key is the one.
  func make(_ random: (Int) -> [UInt8]) throws(OAuthFailure) -> SymmetricKey {
    let path = path
    let temporary = TemporaryName.of(path, random)
    let bytes = random(32)
    try StorageFailure.of { () throws(PosixFile.Fault) in
      try PosixFile.writeNew(temporary, bytes)
      // A link fails where the name is taken, a rename would replace the other process's key.
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
