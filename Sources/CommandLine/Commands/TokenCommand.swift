import Jansson
import Methods

/// Prints the access token, alone or in a form that another program reads.
struct TokenCommand: MethodCommand {
  private enum Format: String, CaseIterable {
    /// The value of an `Authorization` header.
    case bearer
    /// The members of a token response (RFC 6749, 5.1), with the end of the token.
    case json
    /// What the libraries of Google read from an executable (AIP-4117), with the ID token.
    case google
  }

  static let name = "token"
  static let method: String? = Methods.accessToken
  static let isForScripts = true
  let words: [String]
  private let format: Format?

  init(words: [String]) throws(Options.Fault) {
    let own = try OwnOptions(words, of: Self.self)
    (self.words, format) = (own.rest, try own.word("--format"))
  }

  func methodWords() -> [String]? { [Methods.accessToken] + (format == .google ? ["--idToken"] : []) + Self.named(words) }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    let token = result["accessToken"]?.string ?? ""
    switch format {
    case nil: return run.print(token + "\n")
    case .bearer: return run.print("Bearer \(token)\n")
    case .json:
      var members: [JSON.Member] = [.init("access_token", .string(token)), .init("token_type", result["tokenType"] ?? "Bearer")]
      if let end = result["expiresAt"]?.integer {
        members += [.init("expires_in", .integer(end - session.service.accounts.now)), .init("expires_at", .integer(end))]
        members.append(.init("expiry", .time(end)))
      }
      return run.print(JSON.object(members).line + "\n")
    case .google:
      var members: [JSON.Member] = [
        .init("token_type", "urn:ietf:params:oauth:token-type:id_token"), .init("id_token", result["idToken"] ?? ""),
      ]
      if let end = result["idTokenExpiresAt"] { members.append(.init("expiration_time", end)) }
      return run.print(Self.google(true, members))
    }
  }

  /// Google's libraries take standard output and standard error as one text, and read a failure only with the exit status 0.
  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)? {
    guard format == .google else { return nil }
    let code = error.error["kind"] ?? .string("\(error.error.shown.code)")
    return (Self.google(false, [.init("code", code), .init("message", .string(error.message))]), nil, 0)
  }

  private static func google(_ success: Bool, _ members: [JSON.Member]) -> String {
    JSON.object([.init("version", 1), .init("success", .bool(success))] + members).line + "\n"
  }
}
