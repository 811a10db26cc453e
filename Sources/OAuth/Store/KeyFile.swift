import Jansson
import OAuthCore

/// The content of the store's key file: the key itself, or where the key is.
///
/// A reference has more than 32 bytes. Versions that know only keys therefore reject the file and change nothing.
enum KeyFile {
  case key([UInt8])
  /// The key's identifier is that of the grants which it seals.
  case reference(KeySource, identifier: String)

  static let name = "key"
  /// The file with the key that `rekey` is changing to. It replaces the file above in one step.
  static let nextName = "key.next"
  /// Bytes of a key.
  static let length = 32
  private static let kind = "oauth-stdio key "
  private static let magic = kind + "1 "

  /// Throws if the file at `path` holds neither. `path` is for the message.
  init(_ bytes: [UInt8], _ path: String) throws(OAuthFailure) {
    if bytes.count == Self.length {
      self = .key(bytes)
      return
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard bytes.starts(with: Self.kind.utf8) else { throw StorageFailure.keyUnusable(path) }
    let words = lines[0].split(separator: " ")
    guard bytes.starts(with: Self.magic.utf8), words.count == 5, words[4].utf8.count == 16 else { throw StorageFailure.newerKey(path) }
    switch words[3] {
    case "keyring": self = .reference(.keyring, identifier: String(words[4]))
    case "command" where lines.count > 1 && !lines[1].isEmpty:
      self = .reference(.command(String(lines[1])), identifier: String(words[4]))
    default: throw StorageFailure.newerKey(path)
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .key(let bytes): bytes
    case .reference(let source, let identifier):
      if case .command(let command) = source {
        Array("\(Self.magic)command \(identifier)\n\(command)\n".utf8)
      } else {
        Array("\(Self.magic)\(source.name) \(identifier)\n".utf8)
      }
    }
  }
}
