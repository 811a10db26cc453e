import Crypto
import Jansson
import OAuthCore
import Platform

/// Names the store's files. Every account name gives a safe file name, and a readable one where possible.
package enum FileName {
  /// Bytes of a name before its suffix. File systems allow 255; the store appends more, such as `.lock` or the mark of a temporary file.
  private static let limit = 150
  static let suffix = ".grant"
  /// Of the file whose modification time is that of the grant's last use.
  static let useSuffix = ".used"

  /// Of the file with what another process needs to go on with an open sign-in.
  static let signInSuffix = ".sign-in"

  private static func isPlain(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == 0x2D || byte == 0x5F }

  /// Returns the name of an account's grant file.
  static func of(_ account: String) -> String { stem(account) + suffix }

  /// Returns the start of the names of an account's files.
  package static func stem(_ account: String) -> String {
    if account.utf8.count <= limit, account.utf8.allSatisfy(isPlain) { return account }
    var name = ""
    for byte in account.utf8 {
      switch byte {
      // Capitals are escaped because some file systems ignore case.
      case _ where isPlain(byte): name.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x2E where !name.isEmpty: name += "."
      default: name += "%" + Hexadecimal.encode([byte])
      }
    }
    return name.utf8.count <= limit ? name : digestMark + Hexadecimal.encode(Array(SHA256.hash(data: Array(account.utf8))))
  }

  /// Begins the file names of accounts whose own names are too long.
  private static let digestMark = "%%"

  /// Whether the name holds only a digest of the account's name.
  static func isDigest(_ name: String) -> Bool { name.hasPrefix(digestMark) }

  /// Returns the account that a grant file's name encodes; for a long account, the digest in the name.
  static func account(of name: String) -> String {
    let stem = String(name.dropLast(suffix.count))
    guard let account = PercentEncoding.decode(stem), of(account) == name else { return stem }
    return account
  }

  // MARK: Temporary files

  private static let end = ".tmp"
  /// Six random bytes in base64url.
  private static let (randomBytes, randomLength) = (6, 8)

  /// Returns the path of a temporary file: the final file's path, the process identifier and a random part.
  static func temporary(for path: String) -> String { "\(path).\(getpid()).\(Base64.encodeURL(SystemRandom.bytes(randomBytes)))\(end)" }

  /// Returns the name that the temporary file was to get; nil if the store would not have created such a name.
  static func target(ofTemporary name: String) -> String? {
    guard name.hasSuffix(end) else { return nil }
    let parts = name.dropLast(end.count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2 else { return nil }
    let (random, process) = (parts[parts.count - 1], parts[parts.count - 2])
    guard random.utf8.count == randomLength, random.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-_".utf8.contains($0) }),
      let id = pid_t(process), id > 0, String(id) == process
    else { return nil }
    let target = parts.dropLast(2).joined(separator: ".")
    return [KeyFile.name, KeyFile.previousName].contains(target) || isGrant(target) ? target : nil
  }

  /// Returns the name of the grant file that a lock, page, page count or use file belongs to; nil for another file.
  static func grant(besides name: String) -> String? {
    guard let end = [".lock", ".page", ".pages", useSuffix, signInSuffix].first(where: name.hasSuffix) else { return nil }
    let grant = String(name.dropLast(end.count))
    return isGrant(grant) ? grant : nil
  }

  /// Whether it is the name of a grant file.
  static func isGrant(_ name: String) -> Bool {
    guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count, !name.hasPrefix(".") else { return false }
    return name.utf8.allSatisfy { isPlain($0) || ".%".utf8.contains($0) }
  }
}
