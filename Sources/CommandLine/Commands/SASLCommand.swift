import Jansson
import Methods
import OAuthCore

/// Prints what a mail program sends after AUTH.
struct SASLCommand: MethodCommand {
  static let name = "sasl"
  static let method: String? = Methods.accessToken
  static let isForScripts = true
  /// The words for the method.
  let words: [String]
  /// Returns the message that carries the token.
  private let message: @Sendable (Secret) -> String

  init(words: [String]) throws(Options.Fault) {
    let own = try OwnOptions(words, of: Self.self)
    func value(_ option: String) throws(Options.Fault) -> String? {
      guard let value = own[option].last else { return nil }
      // The fields of a message end with U+0001, and a newline would end the message.
      guard !value.utf8.contains(where: { $0 < 0x20 }) else { throw Options.Fault("\(option) needs a value without control characters") }
      return value
    }
    let port = own["--port"].last.map { Int($0) ?? 0 }
    if let port, !(1...65_535 ~= port) { throw Options.Fault("--port must be from 1 to 65535") }
    let mechanism: SASLMechanism? = try value("--mechanism").map { text throws(Options.Fault) in
      try Options.word("--mechanism", text.uppercased())
    }
    guard let user = try value("--user") else { throw Options.Fault("sasl needs --user, the name of the mailbox") }
    let host = try value("--host")
    message = { (mechanism ?? .xoauth2).message($0, user: user, host: host, port: port) }
    self.words = own.rest
  }

  func methodWords() -> [String]? { [Methods.accessToken] + words }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    run.print(result["accessToken"]?.string.map { message(Secret($0)) + "\n" } ?? "")
  }
}
