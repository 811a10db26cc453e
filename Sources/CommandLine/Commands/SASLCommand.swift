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
  private let message: SASLMessage

  init(words: [String]) throws(Options.Fault) {
    var (user, mechanism, host, port): (String?, SASLMessage.Mechanism, String?, Int?) = (nil, .xoauth2, nil, nil)
    var (open, rest) = (words[...], [String]())
    func value(_ option: String) throws(Options.Fault) -> String {
      // The fields of a message end with U+0001, and a newline would end the message.
      guard let value = open.popFirst(), !value.isEmpty, !value.utf8.contains(where: { $0 < 0x20 }) else {
        throw Options.Fault("\(option) needs a value without control characters")
      }
      return value
    }
    while let word = open.popFirst() {
      switch word {
      case "--user": user = try value(word)
      case "--host": host = try value(word)
      case "--port":
        guard let number = Int(try value(word)), 1...65_535 ~= number else { throw Options.Fault("--port must be from 1 to 65535") }
        port = number
      case "--mechanism": mechanism = try Options.word(word, try value(word).uppercased())
      default: rest.append(word)
      }
    }
    guard let user else { throw Options.Fault("sasl needs --user, the name of the mailbox") }
    (self.words, message) = (rest, SASLMessage(mechanism, user: user, host: host, port: port))
  }

  func methodWords() -> [String]? { [Methods.accessToken] + words }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    run.print(result["accessToken"]?.string.map { message.text(Secret($0)) + "\n" } ?? "")
  }
}
