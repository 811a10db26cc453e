import Jansson
import Methods
import OAuth
import OAuthCore

/// An everyday command: a method with words and output for people and shell scripts.
package enum EverydayCommand: String, CaseIterable {
  case login, logout, status, token, call, header, sasl, doctor, mcp
  case setup
  case key
  case `import`
  case gitCredential = "git-credential"
  case dockerCredential = "docker-credential"
  case execCredential = "exec-credential"

  /// The method that the command calls; nil if it calls none of its own.
  var method: String? {
    switch self {
    case .mcp, .setup, .key: nil
    case .login: Methods.authorize
    case .logout: Methods.revoke
    case .status: Methods.accounts
    case .token, .sasl, .execCredential: Methods.accessToken
    case .call: Methods.callAPI
    case .header: Methods.signRequest
    case .import: Methods.importGrant
    case .doctor: Methods.diagnose
    case .gitCredential, .dockerCredential: Methods.hostCredential
    }
  }

  private var name: String { method ?? "" }

  /// Returns the words of the method for those of the command; nil if there is nothing to do. `input` is what another program asks.
  /// `session` begins one, to ask for accounts.
  func words(_ words: [String], _ input: String, _ session: () -> CommandSession?) throws(Options.Fault) -> [String]? {
    switch self {
    case .login: try signIn(words, session)
    case .doctor: [name] + words
    case .logout, .token: [name] + Self.named(words)
    case .status: words.isEmpty ? [name] : [Methods.account] + Self.named(words)
    case .call, .header: try call(Self.named(words))
    case .gitCredential: try gitCredential(words, input)
    case .mcp, .setup, .key: nil
    case .import: try importing(words)
    case .dockerCredential: try dockerCredential(words, input)
    case .execCredential: [name] + words.map { $0 == "--id-token" ? "--idToken" : $0 }
    case .sasl: [name] + (try SASLWords(words).rest)
    }
  }

  private func signIn(_ words: [String], _ session: () -> CommandSession?) throws(Options.Fault) -> [String] {
    // After two dashes, the name may begin with a dash, and it names no file.
    let words = words[...].drop { $0 == "--" }
    let isLiteral = words.startIndex > 0
    func has(_ param: String) -> Bool { words.dropFirst(isLiteral ? 1 : 0).contains { $0 == param || $0.hasPrefix(param + "=") } }
    guard let word = words.first, word != "-", isLiteral || !word.hasPrefix("-") else {
      if has("--account") { return [self.name] + words }
      throw Options.Fault("login needs the name of an account or of a provider")
    }
    let name = isLiteral ? Self.quoted(word) : word
    let others = words.dropFirst()
    // With another name for the account, this one is the provider's, even if an account has it, too.
    if !has("--account"), session()?.hasAccount(word) == true { return [self.name, "--account=\(name)"] + others }
    return [self.name] + (has("--account") ? [] : ["--account=\(Self.named([name])[0])"])
      + (has("--provider") ? [] : ["--provider=\(name)"]) + others
  }

  /// Returns the words with the account's name in the place of the URL of its server.
  private static func named(_ words: [String]) -> [String] {
    guard let word = words.first, word.contains("://"), let url = try? URLParts(word) else { return words }
    return [Accounts.account(of: url)] + words.dropFirst()
  }

  /// Reads Git's request (git-credential(1)): one `name=value` a line. Returns nil for `store`, because the process stores tokens itself.
  private func gitCredential(_ words: [String], _ input: String) throws(Options.Fault) -> [String]? {
    guard words.count == 1 else { throw Options.Fault("git-credential needs get, store or erase") }
    // Git wants other words to be ignored: a later Git may have more of them.
    guard ["get", "erase"].contains(words[0]) else { return nil }
    var found = [name]
    // Git also asks for what no account can be for, such as the password of a certificate.
    guard !Self.lines(input).contains("protocol=cert") else { return nil }
    for line in Self.lines(input) {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, parts[1] != "" else { continue }
      switch parts[0] {
      case "credential" where words[0] == "erase":
        // What this program gave: the token, and with authtype Basic the user's name before it.
        if Self.lines(input).contains("authtype=Bearer") {
          found.append("--rejected=\(Self.quoted(parts[1]))")
        } else if let pair = try? Base64.decode(parts[1]), let colon = pair.firstIndex(of: UInt8(ascii: ":")) {
          found.append("--rejected=\(Self.quoted(String(decoding: pair[(colon + 1)...], as: UTF8.self)))")
        }
      case "host", "protocol", "username": found.append("--\(parts[0])=\(Self.quoted(parts[1]))")
      case "password" where words[0] == "erase": found.append("--rejected=\(Self.quoted(parts[1]))")
      default: break
      }
    }
    guard words[0] == "erase" || found.contains(where: { $0.hasPrefix("--host=") }) else {
      throw Options.Fault("git-credential get needs the line host=HOST on standard input")
    }
    // Without the rejected password there is nothing to erase.
    return words[0] == "get" || found.contains { $0.hasPrefix("--rejected=") } ? found : nil
  }

  /// Returns Git's lines. Other characters that Unicode counts as line ends belong to the values.
  private static func lines(_ input: String) -> [String] { input.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) } }

  /// Reads the server's URL, as docker writes it. Returns nil if there is nothing to do, because the process stores tokens itself.
  private func dockerCredential(_ words: [String], _ input: String) throws(Options.Fault) -> [String]? {
    guard words.count == 1, ["get", "store", "erase", "list", "version"].contains(words[0]) else {
      throw Options.Fault("docker-credential needs get, store, erase, list or version")
    }
    guard asksNothing(words) || input.contains(where: { !$0.isWhitespace }) else {
      // The text of docker's own helpers.
      throw Options.Fault("no credentials server URL")
    }
    guard words[0] == "get" else { return nil }
    let server = input.hasSuffix("\n") ? String(input.dropLast()) : input
    let scheme = ["https://", "http://"].first(where: server.hasPrefix)
    let host = server.dropFirst(scheme?.count ?? 0).prefix { $0 != "/" }
    // A registry on this machine may have no TLS.
    let isLocal = scheme == "http://" || ["localhost", "127.0.0.1"].contains(String(host.prefix { $0 != ":" }))
    return [name, "--use=registry", "--host=\(Self.quoted(String(host)))"] + (isLocal ? ["--protocol=http"] : [])
  }

  /// Returns the text so that it names no file.
  static func quoted(_ text: String) -> String { text.hasPrefix("@") ? "@" + text : text }

  /// Whether the words ask for help. The value of an option of curl does not.
  func asksForHelp(_ words: [String]) -> Bool {
    var rest = words[...]
    while let word = rest.popFirst(), word != "--" {
      if ["--help", "-h"].contains(word) { return true }
      if self == .call || self == .header, ["-X", "-d", "--json", "-H", "-o"].contains(word) { _ = rest.popFirst() }
    }
    return false
  }

  /// The exit status for a result.
  func status(_ result: JSON) -> Int32 {
    self == .doctor && result["findings"]?.array?.contains { $0["state"] == "failed" } == true ? 1 : 0
  }

  /// Returns what to print if there is nothing to ask the process for.
  func output(of words: [String]) -> String { self == .dockerCredential && words == ["version"] ? "oauth-stdio \(Version.current)\n" : "" }

  /// Whether another program asks with these words alone. At a terminal, standard input has no end.
  func asksNothing(_ words: [String]) -> Bool { self == .dockerCredential && (words == ["list"] || words == ["version"]) }

  /// Whether another program asks on standard input.
  var readsInput: Bool { self == .gitCredential || self == .dockerCredential }

  /// Returns what to print for a result. A body is printed as its pieces arrive. `width` is that of the terminal; nil without one.
  func output(_ result: JSON, of words: [String], _ input: String, _ session: CommandSession, now: Int, width: Int?) -> String {
    switch self {
    // What a dry run would send is all that it does.
    case .login:
      return words.contains { $0.hasPrefix("--dryRun") } ? String(decoding: IndentedJSON.text(result.text), as: UTF8.self) + "\n" : ""
    case .logout, .call, .mcp, .setup, .key: return ""
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
      let (name, password) = (result["username"]?.string ?? "", result["password"]?.string ?? "")
      guard Self.lines(input).contains("capability[]=authtype") else { return "username=\(name)\npassword=\(password)\n\(expiry)" }
      // A Git that knows this keeps the credential out of its other helpers. A server that names no scheme takes Basic.
      let challenges = Self.lines(input).filter { $0.hasPrefix("wwwauth[]=") }.map { $0.lowercased().replacing("wwwauth[]=", with: ", ") }
      let isBearer = challenges.contains { $0.contains(", bearer") } && !challenges.contains { $0.contains(", basic") }
      let credential = isBearer ? password : Base64.encode(Array("\(name):\(password)".utf8))
      return "capability[]=authtype\nauthtype=\(isBearer ? "Bearer" : "Basic")\ncredential=\(credential)\nephemeral=1\n\(expiry)"
    case .dockerCredential:
      return JSON.object([
        .init("ServerURL", .string(input)), .init("Username", result["username"] ?? ""), .init("Secret", result["password"] ?? ""),
      ]).line + "\n"
    case .execCredential: return ExecCredential.text(result, usesIDToken: words.contains("--id-token"))
    case .doctor: return FindingList.text(result, session.program, width: width)
    case .status, .import: return StatusTable.text(result["accounts"]?.array ?? [result], session, now: now, width: width)
    }
  }
}
