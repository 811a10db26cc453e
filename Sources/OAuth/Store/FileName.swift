import Crypto

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The name of an account's file: safe whatever the account is called, and readable where that is possible.
enum FileName {
  /// File systems allow 255 bytes; what is put behind the name (`.lock`, a temporary file's mark) needs the rest.
  private static let limit = 150
  static let suffix = ".grant"

  static func of(_ account: String) -> String {
    func isPlain(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == 0x2D || byte == 0x5F }
    if account.utf8.count <= limit, account.utf8.allSatisfy(isPlain) { return account + suffix }
    var name = ""
    for byte in account.utf8 {
      switch byte {
      // Capitals are escaped, because some file systems take two spellings for one name.
      case _ where isPlain(byte): name.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x2E where !name.isEmpty: name += "."
      default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    if name.utf8.count > limit {
      let digest = SHA256.hash(data: Array(account.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      name = "%%" + digest
    }
    return name + suffix
  }

  /// The account that a grant file is named for, from its name alone; a long account's file has only a digest, which stands for it then.
  static func account(of name: String) -> String {
    let stem = String(name.dropLast(suffix.count))
    guard let account = PercentEncoding.decode(stem), of(account) == name else { return stem }
    return account
  }

  /// Whether the store makes files of that name: the key, a grant, and what belongs to a grant.
  static func isOfStore(_ name: String) -> Bool {
    if name == KeyFile.name || TemporaryName.target(of: name) != nil { return true }
    return [suffix, suffix + ".lock", suffix + ".page"].contains { name.hasSuffix($0) } || name.contains(suffix + ".unreadable-")
  }
}

/// What tells whether a file is still the one that was read: every write makes a new one.
package struct FileStamp: Equatable, Sendable {
  private var inode: UInt64
  private var size: Int64
  private var seconds: Int
  private var nanoseconds: Int

  /// nil where there is no file; a folder that cannot be looked into is no empty one.
  static func of(_ path: String) throws(PosixFile.Fault) -> FileStamp? {
    var status = stat()
    if stat(path, &status) == 0 { return FileStamp(status) }
    guard errno == ENOENT else { throw PosixFile.Fault(path: path, code: errno) }
    return nil
  }

  /// The same of a file in an open folder, without a look at each part of the folder's path.
  static func of(_ name: String, in folder: Int32) throws(PosixFile.Fault) -> FileStamp? {
    var status = stat()
    if fstatat(folder, name, &status, 0) == 0 { return FileStamp(status) }
    guard errno == ENOENT else { throw PosixFile.Fault(path: name, code: errno) }
    return nil
  }

  /// The same where a file that cannot be looked at counts as none.
  static func ifAny(_ path: String) -> FileStamp? { (try? of(path)) ?? nil }

  private init(_ status: stat) {
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Glibc)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #endif
  }
}
