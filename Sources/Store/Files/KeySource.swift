import Jansson

/// Where the key that seals the grants is.
package enum KeySource: Sendable, Equatable {
  /// In the store's folder.
  case file
  /// In the user's keyring.
  case keyring
  /// Where a shell command gets it. The command prints the key in base64.
  case command(String)

  /// In bytes. The key file holds the command.
  private static let commandLimit = 2000

  /// Reads `file`, `keyring` or `command:…`.
  package init(_ text: String, at path: String) throws(FieldError) {
    switch text {
    case "file": self = .file
    case "keyring": self = .keyring
    case _
    where text.hasPrefix("command:") && (9...Self.commandLimit).contains(text.utf8.count) && !text.utf8.contains(where: { $0 < 0x20 }):
      self = .command(String(text.dropFirst(8)))
    default: throw FieldError(path, "must be file, keyring or command:…, with a command of at most 1992 bytes")
    }
  }

  /// Returns the parts of a shell command, or of `$BROWSER`, that may be names of files.
  package static func words(of command: String) -> [String] { command.split { " \t'\"`;:&|()<>=$".contains($0) }.map(String.init) }

  /// The name for clients and messages. It leaves out the command, which may contain a secret.
  package var name: String {
    switch self {
    case .file: "file"
    case .keyring: "keyring"
    case .command: "command"
    }
  }
}
