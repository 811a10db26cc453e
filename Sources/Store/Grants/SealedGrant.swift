import Crypto
import Jansson
import OAuthCore
import Platform

/// The format of a grant file: a line with the format and the key's identifier, and a line with the account's name.
/// The rest is sealed by AES-256-GCM.
///
/// A version whose files this one would use wrongly writes another number. Such a file is left alone.
///
/// The sealed part authenticates the clear part. A grant file that was renamed or exchanged with another account's therefore doesn't open.
enum SealedGrant {
  private static let kind = "oauth-stdio grant "
  private static let format = 1
  /// Bytes of the parts of a file.
  private static let identifierLength = 16
  private static let nonceLength = 12
  private static let tagLength = 16

  enum Fault: Error {
    /// The file is of another kind or truncated, or it names this key and doesn't open.
    case damaged
    /// The file names another key, and may be intact.
    case otherKey
    /// A later version of the program wrote it.
    case newer
  }

  /// `name` is the key's identifier, if the caller has it.
  static func seal(_ grant: Grant, with key: SymmetricKey, named name: String? = nil) throws -> [UInt8] {
    let clear = clearPart(name ?? identifier(of: key), PercentEncoding.encode(grant.account))
    return try seal(grant.text, with: key, authenticating: clear)
  }

  /// Seals another text about an account.
  static func seal(_ text: [UInt8], of account: String, with key: SymmetricKey) throws -> [UInt8] {
    try seal(text, with: key, authenticating: clearPart(identifier(of: key), signInMark + PercentEncoding.encode(account)))
  }

  /// Returns that text; nil if another key has sealed it, or it is about another account.
  static func text(of file: [UInt8], _ account: String, with key: SymmetricKey) -> [UInt8]? {
    let clear = clearPart(identifier(of: key), signInMark + PercentEncoding.encode(account))
    return file.starts(with: clear) ? open(file[clear.count...], with: key, authenticating: clear) : nil
  }

  /// Begins the name in a file about a sign-in. It is in no encoded name.
  private static let signInMark = "sign-in "

  /// Returns the clear part and the sealed text.
  private static func seal(_ text: [UInt8], with key: SymmetricKey, authenticating clear: [UInt8]) throws -> [UInt8] {
    let box = try AES.GCM.seal(text, using: key, authenticating: clear)
    // It is nil only for a nonce of an unusual length, which this box does not have.
    guard let sealed = box.combined else { throw Fault.damaged }
    return sealed.withUnsafeBytes { clear + $0 }
  }

  static func open(_ file: [UInt8], with key: SymmetricKey) throws(Fault) -> Grant {
    let (found, _, clear) = try clearPart(of: file)
    guard found == identifier(of: key) else { throw .otherKey }
    guard let text = open(file[clear.count...], with: key, authenticating: clear) else { throw .damaged }
    // Members that a later version added are ignored, so a downgrade loses no grant.
    // An authenticated text is exactly what a process wrote. If it cannot be read, a later version wrote it.
    guard let members = (try? JSON.parse(text))?.members,
      Set(members.map(\.name)).isSuperset(of: ["account", "provider", "clientId", "issuedAt"])
    else { throw .newer }
    var fields = ObjectReader(members)
    do {
      return try Grant(&fields)
    } catch {
      throw .newer
    }
  }

  /// Returns the identifier of the key that sealed a file. Throws for a file of another kind or of a later version.
  static func keyIdentifier(of file: [UInt8]) throws(Fault) -> String { try clearPart(of: file).identifier }

  /// Returns the file sealed with another key. The text is not read: it may have members that only a later version knows.
  static func resealed(_ file: [UInt8], from old: SymmetricKey, to new: SymmetricKey) throws(Fault) -> [UInt8] {
    let (_, account, clear) = try clearPart(of: file)
    guard let text = open(file[clear.count...], with: old, authenticating: clear),
      let sealed = try? seal(text, with: new, authenticating: clearPart(identifier(of: new), account))
    else { throw .damaged }
    return sealed
  }

  /// Returns nil for a text that does not open. `sealed` is the nonce, the encrypted text and the tag.
  private static func open(_ sealed: ArraySlice<UInt8>, with key: SymmetricKey, authenticating clear: [UInt8]) -> [UInt8]? {
    guard let box = try? AES.GCM.SealedBox(combined: Array(sealed)), let text = try? AES.GCM.open(box, using: key, authenticating: clear)
    else { return nil }
    // Copied as a whole, because the first use of `Array(text)` in a process is slow.
    return text.withUnsafeBytes { [UInt8]($0) }
  }

  /// Returns 16 hexadecimal digits that tell keys apart and reveal nothing about them.
  static func identifier(of key: LockedBytes) -> String { key.withBytes { identifier(of: SymmetricKey(data: $0)) } }

  static func identifier(of key: SymmetricKey) -> String {
    var hash = SHA256()
    hash.update(data: Array("oauth-stdio key".utf8))
    key.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return hash.finalize().withUnsafeBytes { Hexadecimal.encode([UInt8]($0.prefix(identifierLength / 2))) }
  }

  private static func clearPart(_ identifier: String, _ account: String) -> [UInt8] {
    Array("\(kind)\(format) \(identifier)\n\(account)\n".utf8)
  }

  private static func clearPart(of file: [UInt8]) throws(Fault) -> (identifier: String, account: String, bytes: [UInt8]) {
    let number = file.dropFirst(kind.utf8.count).prefix { 0x30...0x39 ~= $0 }
    guard file.starts(with: kind.utf8), let found = Int(String(decoding: number, as: UTF8.self)) else { throw .damaged }
    if found > format { throw .newer }
    let start = Array("\(kind)\(format) ".utf8)
    guard file.starts(with: start), let first = file[start.count...].firstIndex(of: 10),
      let second = file[(first + 1)...].firstIndex(of: 10), file.count >= second + 1 + nonceLength + tagLength
    else { throw .damaged }
    // An invalid identifier means a damaged file, not another key.
    let identifier = file[start.count..<first]
    guard identifier.count == identifierLength, identifier.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else { throw .damaged }
    let account = String(decoding: file[(first + 1)..<second], as: UTF8.self)
    return (String(decoding: identifier, as: UTF8.self), account, Array(file[...second]))
  }
}
