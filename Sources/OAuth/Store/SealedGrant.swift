import Crypto
import Jansson

/// A grant as it lies on disk: a line that says what it is and which key opens it, the account's name in clear, and the rest sealed by AES-256-GCM.
///
/// The clear part is authenticated with the sealed one, so that a file that was renamed or swapped for another account's does not open.
enum SealedGrant {
  private static let kind = "oauth-stdio grant "
  private static let magic = kind + "1 "

  enum Fault: Error {
    /// The file is not of this kind, or cut off.
    case foreign
    /// It does not open, although it was sealed with this key.
    case damaged
    /// It was sealed with another key; nothing is wrong with the file itself.
    case otherKey
    /// A later version of the program wrote it.
    case newer
  }

  static func seal(_ grant: Grant, with key: SymmetricKey) throws -> [UInt8] {
    let clear = clearPart(identifier(of: key), PercentEncoding.encode(grant.account))
    let box = try AES.GCM.seal(grant.text, using: key, authenticating: clear)
    return clear + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
  }

  static func open(_ file: [UInt8], with key: SymmetricKey) throws(Fault) -> Grant {
    if let restored = ofFirstVersion(file) {
      // When only the version was damaged, the rest opens under the right one.
      guard let (_, _, clear) = try? clearPart(of: restored), open(restored[clear.count...], with: key, authenticating: clear) != nil else {
        throw .newer
      }
      throw .damaged
    }
    let (found, account, clear) = try clearPart(of: file)
    let sealed = file[clear.count...]
    guard let text = open(sealed, with: key, authenticating: clear) else {
      let own = identifier(of: key)
      // When only the key's identifier was damaged, the rest opens under the right one.
      guard found == own || open(sealed, with: key, authenticating: clearPart(own, account)) != nil else { throw .otherKey }
      throw .damaged
    }
    // Members that a later version added are passed over, so that going back a version loses nothing.
    // A text that opens is as a process has written it: one that cannot be read is a later version's, too.
    guard let members = (try? JSON.parse(text))?.members else { throw .newer }
    var fields = Fields(members)
    do {
      return try Grant(&fields)
    } catch {
      throw .newer
    }
  }

  /// The file as if it were of version 1; nil where it names no later version.
  private static func ofFirstVersion(_ file: [UInt8]) -> [UInt8]? {
    guard file.starts(with: kind.utf8) else { return nil }
    let digits = file[kind.utf8.count...].prefix { 0x30...0x39 ~= $0 }
    let end = digits.endIndex
    guard (1...9).contains(digits.count), let version = Int(String(decoding: digits, as: UTF8.self)), version > 1, end < file.count,
      file[end] == 0x20 || file[end] == 10
    else { return nil }
    return Array(magic.utf8) + file[(end + 1)...]
  }

  private static func open(_ sealed: ArraySlice<UInt8>, with key: SymmetricKey, authenticating clear: [UInt8]) -> [UInt8]? {
    guard let nonce = try? AES.GCM.Nonce(data: Array(sealed.prefix(12))),
      let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.dropFirst(12).dropLast(16), tag: sealed.suffix(16)),
      let text = try? AES.GCM.open(box, using: key, authenticating: clear)
    else { return nil }
    return Array(text)
  }

  /// 16 hexadecimal digits that tell keys apart and say nothing about them.
  private static func identifier(of key: SymmetricKey) -> String {
    let digest = key.withUnsafeBytes { SHA256.hash(data: Array("oauth-stdio key".utf8) + Array($0)) }
    return digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func clearPart(_ identifier: String, _ account: String) -> [UInt8] {
    Array("\(magic)\(identifier)\n\(account)\n".utf8)
  }

  private static func clearPart(of file: [UInt8]) throws(Fault) -> (identifier: String, account: String, bytes: [UInt8]) {
    let start = Array(magic.utf8)
    guard file.starts(with: start), let first = file[start.count...].firstIndex(of: 10),
      let second = file[(first + 1)...].firstIndex(of: 10), file.count >= second + 1 + 28
    else { throw .foreign }
    // What cannot be a key's identifier is damage and not another key.
    let identifier = file[start.count..<first]
    guard identifier.count == 16, identifier.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else { throw .foreign }
    let account = String(decoding: file[(first + 1)..<second], as: UTF8.self)
    return (String(decoding: identifier, as: UTF8.self), account, Array(file[...second]))
  }
}
