import Jansson

/// Why a server refused a signed request, from wherever it says so: the `WWW-Authenticate` header, or a body that is a form, JSON or a word.
///
/// The words are those of the OAuth Problem Reporting extension 1.0; RFC 5849 §3.2 has status codes alone.
package struct OAuth1Problem: Sendable, Equatable {
  /// nil where the problem came with a redirect.
  package let status: Int?
  /// `timestamp_refused`, `permission_denied`, …; or the code that the service has in its place; nil if it is not given.
  package let problem: String?
  /// A sentence for people.
  package let advice: String?
  /// Unix seconds that the server would have taken (`oauth_acceptable_timestamps`).
  package let acceptableTimestamps: ClosedRange<Int64>?
  /// What else the extension's parameters say (`oauth_parameters_absent`, `oauth_acceptable_versions`, …).
  package let details: [OAuth1Parameter]

  /// nil where the answer is a success: 2xx without `oauth_problem`.
  ///
  /// `request` is what was refused: a text that quotes one of its secrets, as Google's did with the base string, is dropped.
  package init?(_ response: HTTPResponse, sent request: OAuth1Request) {
    let answer = OAuth1Answer(response)
    let isSuccess = (200..<300).contains(response.status)
    if isSuccess, answer["oauth_problem"] == nil { return nil }
    let challenge = response.headers.filter { $0.name.lowercased() == "www-authenticate" }.map { OAuth1Challenge.parameters($0.value) }
    let secrets = [request.client.consumerSecret, request.token?.token, request.token?.secret].compactMap { $0 }
    let known = (challenge.flatMap { $0 } + answer.members).filter { parameter in
      guard parameter.name.hasPrefix("oauth_") else { return false }
      // `token_expired` quotes nothing, even where the token is `token`.
      return parameter.name == "oauth_problem" && Self.isWord(parameter.value.utf8) || !Self.quotes(parameter.value, secrets)
    }
    func value(_ name: String) -> String? { known.first { $0.name == name && !$0.value.isEmpty }?.value }
    let said = Self.said(answer, response, secrets)
    status = response.status
    problem = (value("oauth_problem") ?? said.problem).map(ErrorText.clean)
    advice = (value("oauth_problem_advice") ?? said.advice).map(ErrorText.clean)
    acceptableTimestamps = value("oauth_acceptable_timestamps").flatMap(Self.range)
    details = known.filter { $0.name.hasPrefix("oauth_parameters_") || $0.name.hasPrefix("oauth_acceptable_") }
      .map { OAuth1Parameter(ErrorText.clean($0.name), ErrorText.clean($0.value)) }
  }

  /// A problem that a redirect told.
  init(status: Int?, problem: String, advice: String?) {
    self.status = status
    self.problem = ErrorText.clean(problem)
    self.advice = advice.map(ErrorText.clean)
    acceptableTimestamps = nil
    details = []
  }

  /// Whether the same request with another timestamp may succeed.
  package var refusesTimestamp: Bool { problem == "timestamp_refused" }

  /// Whether the token itself is dead, so that a renewal or a sign-in is needed.
  package var refusesToken: Bool {
    ["token_expired", "token_revoked", "token_rejected", "token_used", "permission_unknown"].contains(problem)
  }

  /// Whether somebody's approval is what is lacking, which the same request won't bring.
  package var refusesApproval: Bool {
    ["permission_denied", "user_refused", "additional_authorization_required"].contains(problem)
  }

  /// Whether something of the request or the client is at fault, which no other token would mend.
  var refusesRequest: Bool {
    guard let problem else { return false }
    return ["signature_", "timestamp_", "nonce_", "consumer_key_", "parameter_", "version_"].contains { problem.hasPrefix($0) }
      || refusesApproval
  }

  /// `accessDenied` where somebody said no, else `authorizationServerError`.
  package var failure: OAuthFailure {
    var members: [JSON.Member] = []
    if let problem { members.append(.init("error", .string(problem))) }
    if let advice { members.append(.init("errorDescription", .string(advice))) }
    for detail in details { members.append(.init(detail.name, .string(detail.value))) }
    if let status { members.append(.init("httpStatus", .integer(status))) }
    if ["permission_denied", "user_refused"].contains(problem) {
      return OAuthFailure(.accessDenied, "the sign-in was denied", details: members)
    }
    let isRedirect = status.map { (300..<400).contains($0) } ?? false
    let what = problem ?? (isRedirect ? "a redirect, which is not followed here" : status.map { "status \($0)" } ?? "a problem")
    let isTransient = problem == nil && (status == 408 || status == 429 || (500...599).contains(status ?? 0))
    return OAuthFailure(
      .authorizationServerError, "the authorization server answered with \(what)", details: members,
      isRetryable: isTransient || refusesTimestamp || problem == "nonce_used")
  }
}

// MARK: Reading
extension OAuth1Problem {
  /// What the body says in other words than the extension's: JSON's `error`, X's `errors`, or a word on its first line.
  private static func said(
    _ answer: OAuth1Answer, _ response: HTTPResponse, _ secrets: [Secret]
  ) -> (problem: String?, advice: String?) {
    func text(_ json: JSON?) -> String? {
      let text: String? = if case .integer(let number)? = json { String(number) } else { json?.string }
      return text.flatMap { $0.isEmpty || quotes($0, secrets) ? nil : $0 }
    }
    if let json = answer.json {
      let first = json["errors"]?.array?.first ?? json["error"]
      let code = text(first?["code"]) ?? text(json["error"]) ?? text(json["code"])
      let message = text(first?["message"]) ?? text(json["error_description"]) ?? text(json["message"])
      return (code, message ?? text(json["errors"]?.array?.first))
    }
    // Google answered `signature_invalid`, a line end, and the base string.
    let line = response.body.prefix { $0 > 0x20 }
    return (isWord(line) ? String(decoding: line, as: UTF8.self) : nil, nil)
  }

  /// Whether it is made as the extension's words are: of small letters, at least one `_`, and no longer than any of them by far.
  private static func isWord(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    text.count <= 64 && text.contains(UInt8(ascii: "_")) && text.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }
  }

  /// Whether the text has one of the secrets in it; those under four bytes would be found in any text.
  private static func quotes(_ text: String, _ secrets: [Secret]) -> Bool {
    let text = Array(text.utf8)
    return secrets.contains { secret in
      let secret = Array(secret.value.utf8)
      guard secret.count >= 4, text.count >= secret.count else { return false }
      return (0...(text.count - secret.count)).contains { text[$0...].starts(with: secret) }
    }
  }

  /// `FIRST-LAST` in Unix seconds, before the year 10000: our own time is corrected by them, and has to stay an integer as it goes on.
  private static func range(_ text: String) -> ClosedRange<Int64>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0, first <= last,
      last <= UnixSeconds.instants.upperBound
    else { return nil }
    return first...last
  }
}
