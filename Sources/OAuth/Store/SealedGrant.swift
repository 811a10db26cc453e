import Crypto
import Jansson

/// A grant as it lies on disk: a line that says what it is and which key opens it, the account's name in clear, and the rest sealed by AES-256-GCM.
///
/// The clear part is authenticated with the sealed one, so that a file that was renamed or swapped for another account's does not open.
enum SealedGrant {
  private static let magic = "oauth-stdio grant 1 "

  enum Fault: Error {
    /// The file is not of this kind, or cut off.
    case foreign
    /// It does not open, although it was sealed with this key.
    case damaged
    /// It was sealed with another key; nothing is wrong with the file itself.
    case otherKey
    case unreadable(FieldError)
  }

  static func seal(_ grant: Grant, with key: SymmetricKey) throws -> [UInt8] {
    let clear = clearPart(identifier(of: key), PercentEncoding.encode(grant.account))
    let box = try AES.GCM.seal(grant.text, using: key, authenticating: clear)
    return clear + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
  }

  static func open(_ file: [UInt8], with key: SymmetricKey) throws(Fault) -> Grant {
    let (found, account, clear) = try clearPart(of: file)
    let sealed = file[clear.count...]
    guard let text = open(sealed, with: key, authenticating: clear) else {
      let own = identifier(of: key)
      // When only the key's identifier was damaged, the rest opens under the right one.
      guard found == own || open(sealed, with: key, authenticating: clearPart(own, account)) != nil else { throw .otherKey }
      throw .damaged
    }
    // Members that a later version added are passed over, so that going back a version loses nothing.
    guard let members = (try? JSON.parse(text))?.members else { throw .foreign }
    var fields = Fields(members)
    do {
      return try Grant(&fields)
    } catch {
      throw .unreadable(error)
    }
  }

  /// The account's name, from the clear part alone.
  static func account(of file: [UInt8]) throws(Fault) -> String {
    guard let account = PercentEncoding.decode(try clearPart(of: file).account) else { throw .foreign }
    return account
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
