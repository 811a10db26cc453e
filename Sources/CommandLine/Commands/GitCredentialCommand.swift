import Jansson
import Methods
import OAuthCore
import Platform

/// Serves Git as a credential helper.
struct GitCredentialCommand: CredentialHelper {
  static let name = "git-credential"
  static let warns = true
  let words: [String]
  /// What Git asks.
  private let input: String

  init(words: [String]) throws(Options.Fault) { (self.words, input) = (words, try CommandValue.content("-", Self.name)) }

  /// Reads Git's request (git-credential(1)): one `name=value` a line. Returns nil for `store`, because the process stores tokens itself.
  func methodWords() throws(Options.Fault) -> [String]? {
    guard words.count == 1 else { throw Options.Fault("git-credential needs get, store or erase") }
    // Git wants other words to be ignored: a later Git may have more of them.
    guard ["get", "erase"].contains(words[0]) else { return nil }
    var found = [Methods.hostCredential]
    // Git also asks for what no account can be for, such as the password of a certificate.
    guard !lines.contains("protocol=cert") else { return nil }
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, parts[1] != "" else { continue }
      switch parts[0] {
      case "credential" where words[0] == "erase":
        // What this program gave: the token, and with authtype Basic the user's name before it.
        if lines.contains("authtype=Bearer") {
          found.append("--rejected=\(CommandValue.quoted(parts[1]))")
        } else if let pair = try? Base64.decode(parts[1]), let colon = pair.firstIndex(of: UInt8(ascii: ":")) {
          found.append("--rejected=\(CommandValue.quoted(String(decoding: pair[(colon + 1)...], as: UTF8.self)))")
        }
      case "host", "protocol", "username": found.append("--\(parts[0])=\(CommandValue.quoted(parts[1]))")
      case "password" where words[0] == "erase": found.append("--rejected=\(CommandValue.quoted(parts[1]))")
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
  private var lines: [String] { input.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) } }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    if words == ["erase"] { return run.print("") }
    let expiry = result["expiresAt"]?.integer.map { "password_expiry_utc=\($0)\n" } ?? ""
    let (name, password) = (result["username"]?.string ?? "", result["password"]?.string ?? "")
    guard lines.contains("capability[]=authtype") else { return run.print("username=\(name)\npassword=\(password)\n\(expiry)") }
    // A Git that knows this keeps the credential out of its other helpers. A server that names no scheme takes Basic.
    let challenges = lines.filter { $0.hasPrefix("wwwauth[]=") }.map { $0.lowercased().replacing("wwwauth[]=", with: ", ") }
    let isBearer = challenges.contains { $0.contains(", bearer") } && !challenges.contains { $0.contains(", basic") }
    let credential = isBearer ? password : Base64.encode(Array("\(name):\(password)".utf8))
    let scheme = isBearer ? "Bearer" : "Basic"
    return run.print("capability[]=authtype\nauthtype=\(scheme)\ncredential=\(credential)\nephemeral=1\n\(expiry)")
  }

  /// What Git's `credential.interactive` says (git-config(1)). Git Credential Manager also knows the value `never`.
  var allowsQuestions: Bool {
    guard words == ["get"] else { return false }
    let question = ["git", "config", "--get", "credential.interactive"]
    guard let output = try? CommandOutput.run(question, ProcessEnvironment.variables, .system) else { return true }
    let value = String(decoding: output, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
    return !["false", "no", "off", "0", "never"].contains(value)
  }

  func answer(to shown: CommandError) -> (text: String, said: String?, status: Int32)? {
    let (error, command) = (shown.error, shown.command)
    // Git asks every helper of a host.
    if shown.isWithoutAccount { return ("", nil, 0) }
    if error.failure?.kind == .configurationInvalid, error["path"] == "/username" {
      guard words == ["get"] else { return ("", nil, 0) }
      let url = "\(command["protocol"]?.string ?? "https")://\(command["host"]?.string ?? "")"
      let advice = "Name one in the URL, or with: git config \(ShellWord.quoted("credential.\(url).username".plain)) ACCOUNT"
      return ("", "\(error.shown.message). \(advice)", 0)
    }
    // There is nothing to erase.
    let isSignedOut = error.failure?.kind == .signInRequired && error["reason"]?.string == OAuthFailure.Reason.noGrant.rawValue
    return isSignedOut && words == ["erase"] ? ("", nil, 0) : nil
  }
}
