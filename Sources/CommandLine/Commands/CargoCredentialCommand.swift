import Jansson
import Methods

/// Serves Cargo as a credential provider, by lines of JSON on standard input and output (The Cargo Book, Credential Provider Protocol).
struct CargoCredentialCommand: CredentialHelper {
  static let name = "cargo-credential"
  let words: [String]
  /// Cargo's request.
  private let asked: JSON

  init(words: [String]) throws(Options.Fault) { (self.words, asked) = (words, .null) }

  private init(_ asked: JSON) { (words, self.asked) = ([], asked) }

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    guard words == ["--cargo-plugin"] else { throw Options.Fault("cargo-credential needs --cargo-plugin, which Cargo gives") }
    guard let session = run.makeSession(self) else { return 1 }
    var status = run.print("{\"v\":[1]}\n")
    while status == 0, let line = readLine() {
      let helper = Self((try? JSON.parse(Array(line.utf8))) ?? .null)
      if helper.asked["kind"] == "get" {
        let command = try Command(helper.methodWords() ?? [], for: helper)
        status = run.report(helper.request(command, command.params, run, session), command, session)
      } else {
        status = run.print(refusal(["kind": "operation-not-supported"]))
      }
    }
    session.shutdown.finishCalls(status: status)
  }

  /// The registry's index, without the word for its kind.
  private var index: String {
    let url = asked["registry"]?["index-url"]?.string ?? ""
    return ["sparse+", "registry+"].first(where: url.hasPrefix).map { String(url.dropFirst($0.count)) } ?? url
  }

  /// Whether Cargo's file names the index behind this program. Cargo also sends the token where the index says: a project may name one that its author
  /// has put on a host of the account.
  private var isNamed: Bool { asked["args"]?.array?.contains(.string(index)) == true }

  func methodWords() -> [String]? { question(.api, isNamed ? index : "") }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    let end = result["expiresAt"]
    let answer: JSON = [
      "kind": "get", "token": .string("Bearer \(result["password"]?.string ?? "")"), "cache": end == nil ? "session" : "expires",
      "expiration": end, "operation_independent": true,
    ]
    return run.print((["Ok": answer] as JSON).line + "\n")
  }

  /// For a server of no account, Cargo asks its next provider.
  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)? {
    let isUnknown = error.error["path"] == "/host"
    let fault: JSON = isUnknown ? ["kind": "url-not-supported"] : ["kind": "other", "message": .string(error.message), "caused-by": []]
    return (Self.refusal(fault), nil, 0)
  }

  private static func refusal(_ fault: JSON) -> String { (["Err": fault] as JSON).line + "\n" }
}
