import Crypto
import Jansson

/// A grant as it lies on disk: a line that says what it is, the account's name in clear, and the rest sealed by AES-256-GCM.
///
/// The clear part is authenticated with the sealed one, so that a file that was renamed or swapped for another account's does not open.
enum SealedGrant {
  private static let magic = "oauth-stdio grant 1\n"

  enum Fault: Error {
    /// The file is not of this kind, or cut off.
    case foreign
    /// It does not open with this key: damaged, or sealed with another key.
    case damaged
    case unreadable(FieldError)
  }

  static func seal(_ grant: Grant, with key: SymmetricKey) throws -> [UInt8] {
    let clear = Array((magic + PercentEncoding.encode(grant.account) + "\n").utf8)
    let box = try AES.GCM.seal(grant.text, using: key, authenticating: clear)
    return clear + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
  }

  static func open(_ file: [UInt8], with key: SymmetricKey) throws(Fault) -> Grant {
    let clear = try clearPart(of: file)
    let sealed = Array(file[clear.count...])
    let text: [UInt8]
    do {
      let nonce = try AES.GCM.Nonce(data: sealed.prefix(12))
      let box = try AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.dropFirst(12).dropLast(16), tag: sealed.suffix(16))
      text = Array(try AES.GCM.open(box, using: key, authenticating: clear))
    } catch {
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
    let clear = try clearPart(of: file)
    let name = String(decoding: clear.dropFirst(magic.utf8.count).dropLast(), as: UTF8.self)
    guard let account = PercentEncoding.decode(name) else { throw .foreign }
    return account
  }

  private static func clearPart(of file: [UInt8]) throws(Fault) -> [UInt8] {
    let start = Array(magic.utf8)
    guard file.starts(with: start), let end = file[start.count...].firstIndex(of: 10), file.count >= end + 1 + 28 else { throw .foreign }
    return Array(file[...end])
  }
}
