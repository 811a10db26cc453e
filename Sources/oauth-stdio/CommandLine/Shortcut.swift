import Jansson
import OAuth
import OAuthCore

/// An everyday command: a method with words and output for people and shell scripts.
enum Shortcut: String, CaseIterable {
  case login, logout, status, token, call, header, sasl
  case gitCredential = "git-credential"

  /// What the command needs to know.
  struct Context {
    /// Whether the configuration or the store has the account.
    let knows: (_ account: String) throws(Options.Fault) -> Bool
    /// Returns the text of a value, which may name a file or standard input.
    let content: (_ value: String, _ option: String) throws(Options.Fault) -> String
  }

  var usage: String {
    switch self {
    case .login: "login ACCOUNT|PROVIDER|URL [--PARAM VALUE…]"
    case .logout, .token: "\(rawValue) ACCOUNT"
    case .status: "status [ACCOUNT]"
    case .call: "call ACCOUNT URL [-X METHOD] [-d DATA] [--json DATA] [-H 'NAME: VALUE'] [-o FILE]"
    case .header: "header ACCOUNT URL [-X METHOD]"
    case .sasl: "sasl ACCOUNT --user NAME [--mechanism XOAUTH2|OAUTHBEARER] [--host HOST] [--port PORT]"
    case .gitCredential: "git-credential get|store|erase"
    }
  }

  var summary: String {
    switch self {
    case .login: "Signs in. A new account gets the name of its provider; --account gives it another one. The params are those of authorize."
    case .logout: "Deletes the account's grant, also at the provider if possible, like revoke."
    case .status: "Shows the accounts as a table."
    case .token: "Prints the access token, like accessToken: TOKEN=$(oauth-stdio token me)"
    case .call: "Calls the API and prints the body, like callAPI. The options are those of curl."
    case .header: "Prints the headers that authorize a request: oauth-stdio header me URL | curl -H @- URL"
    case .sasl: "Prints what a mail program sends after AUTH, in base64. NAME is the mailbox. The mechanism is XOAUTH2 by default."
    case .gitCredential:
      "Serves Git: git config --global credential.https://HOST.helper '!oauth-stdio git-credential'. Git's request is read from standard input."
    }
  }

  /// The method that the command calls.
  var method: String {
    switch self {
    case .login: Authorize.name
    case .logout: Revoke.name
    case .status: AccountsMethod.name
    case .token, .sasl: AccessToken.name
    case .call: CallAPI.name
    case .header: SignRequest.name
    case .gitCredential: GitCredential.name
    }
  }

  /// Returns the words of the method for those of the command; nil if there is nothing to do.
  func words(_ words: [String], _ context: Context) throws(Options.Fault) -> [String]? {
    switch self {
    case .login: try signIn(words, context)
    case .logout, .token: [method] + words
    case .status: words.isEmpty ? [method] : [AccountMethod.name] + words
    case .call, .header: try call(words, context)
    case .gitCredential: try gitCredential(words, context)
    case .sasl: [method] + (try SASLWords(words).rest)
    }
  }

  private func signIn(_ words: [String], _ context: Context) throws(Options.Fault) -> [String] {
    guard let name = words.first, !name.hasPrefix("-") else { throw Options.Fault("login needs the name of an account or of a provider") }
    if try context.knows(name) { return [method, name] + words.dropFirst() }
    let others = words.dropFirst()
    func has(_ param: String) -> Bool { others.contains { $0 == param || $0.hasPrefix(param + "=") } }
    // The account of a server at a URL gets the name of its host.
    let host = name.firstRange(of: "://").map { String(name[$0.upperBound...].prefix { !"/?#:".contains($0) }) }
    return [method] + (has("--account") ? [] : [host ?? name]) + (has("--provider") ? [] : ["--provider", name]) + others
  }

  /// Reads Git's request (git-credential(1)): one `name=value` a line. Returns nil for `store`, because the process stores tokens itself.
  private func gitCredential(_ words: [String], _ context: Context) throws(Options.Fault) -> [String]? {
    guard words.count == 1, ["get", "store", "erase"].contains(words[0]) else {
      throw Options.Fault("git-credential needs get, store or erase")
    }
    let lines = try context.content("-", "git-credential").split(whereSeparator: \.isNewline)
    guard words[0] != "store" else { return nil }
    var found = [method]
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, parts[1] != "" else { continue }
      switch parts[0] {
      case "host", "protocol", "username": found.append("--\(parts[0])=\(Self.quoted(parts[1]))")
      case "password" where words[0] == "erase": found.append("--rejected=\(Self.quoted(parts[1]))")
      default: break
      }
    }
    // Without the rejected password there is nothing to erase.
    return words[0] == "get" || found.contains { $0.hasPrefix("--rejected=") } ? found : nil
  }

  /// Returns the text so that it names no file.
  private static func quoted(_ text: String) -> String { text.hasPrefix("@") ? "@" + text : text }

  /// Replaces the options of curl by params.
  private func call(_ words: [String], _ context: Context) throws(Options.Fault) -> [String] {
    var (found, headers, rest) = ([method], [JSON.Member](), words[...])
    var body: JSON?
    var verb: String?
    func value(_ option: String) throws(Options.Fault) -> String {
      guard let value = rest.popFirst() else { throw Options.Fault("\(option) needs a value") }
      return value
    }
    func set(_ new: JSON, _ type: String?) throws(Options.Fault) {
      guard body == nil else { throw Options.Fault("a call has one body: give -d or --json once") }
      body = new
      if let type, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        headers.append(.init("Content-Type", .string(type)))
      }
    }
    while let word = rest.popFirst() {
      switch word {
      case "-X": verb = try value(word)
      case "-H":
        let header = try value(word)
        guard let colon = header.firstIndex(of: ":") else { throw Options.Fault("-H must be 'NAME: VALUE'") }
        let name = header[..<colon]
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(.init(String(name), .string(String(header[header.index(after: colon)...].drop { $0 == " " }))))
      case "-d":
        let data = try value(word)
        if data.hasPrefix("@"), !data.hasPrefix("@@") {
          try set(["file": .string(String(data.dropFirst()))], nil)
        } else {
          try set(["text": .string(try context.content(data, word))], "application/x-www-form-urlencoded")
        }
      case "--json":
        let text = try context.content(try value(word), word)
        guard let json = try? JSON.parse(Array(text.utf8)) else { throw Options.Fault("--json is not JSON") }
        try set(["json": json], nil)
      case "-o": found += ["--saveTo", try value(word), "--overwrite"]
      default: found.append(word)
      }
    }
    if let verb = verb ?? (body == nil ? nil : "POST") { found += ["--method", verb] }
    if let body { found += ["--body", body.line] }
    if !headers.isEmpty { found += ["--headers", JSON.object(headers).line] }
    if self == .call, !found.contains("--saveTo") { found.append("--stream") }
    return found
  }

  /// Whether the command has nothing to say about the error. Git asks every helper of a host.
  func ignores(_ error: JSON) -> Bool {
    self == .gitCredential && error["data"]?["kind"] == "configurationInvalid" && error["data"]?["path"] == "/host"
  }

  /// Returns what to print for a result. A body is printed as its pieces arrive.
  func output(_ result: JSON, of words: [String], now: Int) -> String {
    switch self {
    case .login, .logout, .call: return ""
    case .sasl:
      guard let token = result["accessToken"]?.string, let message = try? SASLWords(words).message else { return "" }
      return message.text(Secret(token)) + "\n"
    case .token: return (result["accessToken"]?.string ?? "") + "\n"
    case .header:
      let headers = result["headers"]?.members ?? []
      return headers.map { "\($0.name): \($0.value.string ?? "")\n" }.joined()
    case .gitCredential:
      if words == ["erase"] { return "" }
      let expiry = result["expiresAt"]?.integer.map { "password_expiry_utc=\($0)\n" } ?? ""
      return "username=\(result["username"]?.string ?? "")\npassword=\(result["password"]?.string ?? "")\n\(expiry)"
    case .status: return StatusTable.text(result["accounts"]?.array ?? [result], now: now)
    }
  }
}

extension JSON {
  /// The value as JSON text.
  fileprivate var line: String { String(decoding: text, as: UTF8.self) }
}

/// The words of `sasl`.
private struct SASLWords {
  let message: SASLMessage
  /// The words for the method.
  private(set) var rest: [String] = []

  init(_ words: [String]) throws(Options.Fault) {
    var (user, mechanism, host, port): (String?, SASLMessage.Mechanism, String?, Int?) = (nil, .xoauth2, nil, nil)
    var open = words[...]
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
      case "--mechanism":
        guard let found = SASLMessage.Mechanism(rawValue: try value(word).uppercased()) else {
          throw Options.Fault("--mechanism must be \(SASLMessage.Mechanism.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        mechanism = found
      default: rest.append(word)
      }
    }
    guard let user else { throw Options.Fault("sasl needs --user, the name of the mailbox") }
    message = SASLMessage(mechanism, user: user, host: host, port: port)
  }
}
