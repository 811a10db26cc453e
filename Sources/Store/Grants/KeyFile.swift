import OAuthCore
import Platform

/// The content of the store's key file: the key itself, or where the key is.
///
/// A reference has more than 32 bytes. Versions without references therefore reject the file and change nothing.
enum KeyFile: Sendable {
  case key(LockedBytes)
  /// The key's identifier is that of the grants which it seals.
  case reference(KeySource, identifier: String)

  static let name = "key"
  /// The file with the key that an unfinished `rekey` replaces. It is deleted when no grant needs that key.
  static let previousName = "key.previous"
  /// Bytes of a key.
  static let length = 32
  private static let kind = "oauth-stdio key "
  private static let magic = kind + "1 "

  /// Takes the content of the file at `path` and zeroes it. Throws if it is neither. `path` is for the message.
  init(taking bytes: inout [UInt8], _ path: String) throws(OAuthFailure) {
    if bytes.count == Self.length {
      self = .key(LockedBytes(taking: &bytes))
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

  /// The identifier of the key.
  var identifier: String {
    switch self {
    case .key(let bytes): SealedGrant.identifier(of: bytes)
    case .reference(_, let identifier): identifier
    }
  }

  /// Where the key is.
  var source: KeySource {
    switch self {
    case .key: .file
    case .reference(let source, _): source
    }
  }

  /// Writes a new file that only its owner can read.
  func write(to path: String) throws(PosixFile.Fault) {
    switch self {
    case .key(let bytes): try bytes.withBytes { bytes throws(PosixFile.Fault) in try PosixFile.writeNew(path, bytes) }
    case .reference(let source, let identifier):
      let command = if case .command(let command) = source { "\(command)\n" } else { "" }
      try PosixFile.writeNew(path, Array("\(Self.magic)\(source.name) \(identifier)\n\(command)".utf8))
    }
  }
}
