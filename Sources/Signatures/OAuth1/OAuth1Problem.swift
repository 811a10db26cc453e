import Jansson
import OAuthCore

/// Why a server rejected a signed request. Read from the `WWW-Authenticate` header, or from a body that is a form, JSON or one word.
///
/// The words are those of the OAuth Problem Reporting extension 1.0; RFC 5849 §3.2 defines only status codes.
package struct OAuth1Problem: Sendable, Equatable {
  /// nil if a redirect reported the problem.
  package let status: Int?
  /// `timestamp_refused`, `permission_denied`, …, or the service's own code; nil if the server sent none.
  package let problem: String?
  /// A sentence for the user.
  package let advice: String?
  /// The extension's other parameters (`oauth_parameters_absent`, `oauth_acceptable_versions`, …).
  package let details: [OAuth1Parameter]
  /// The body of a response that is not in the extension's format, and the target of a redirect, without secrets.
  private let rest: [JSON.Member]

  /// Returns nil for a success: 2xx without `oauth_problem`.
  ///
  /// `request` is the rejected request. Text that quotes one of its secrets is dropped; Google, for example, quoted the base string.
  package init?(_ response: HTTPResponse, sent request: OAuth1Request) {
    let parsed = OAuth1Response(response)
    let isSuccess = (200..<300).contains(response.status)
    if isSuccess, parsed["oauth_problem"] ?? "" == "" { return nil }
    let challenge = response.headers.filter { $0.name.lowercased() == "www-authenticate" }.map { OAuth1Challenge.parameters($0.value) }
    let sent = request.parameters.filter { ["oauth_verifier", "oauth_session_handle"].contains($0.name) }.map { Secret($0.value) }
    let secrets = Redaction([request.client.consumerSecret, request.token?.token, request.token?.secret].compactMap(\.self) + sent)
    let parameters = (challenge.flatMap { $0 } + parsed.members).filter { parameter in
      guard parameter.name.hasPrefix("oauth_") else { return false }
      // A word such as `token_expired` quotes no secret, even if the token is `token`.
      return parameter.name == "oauth_problem" && Self.isWord(parameter.value.utf8) || secrets.hide(in: parameter.value) == parameter.value
    }
    func value(_ name: String) -> String? { parameters.first { $0.name == name && !$0.value.isEmpty }?.value }
    let said = Self.said(parsed, response, secrets)
    status = response.status
    problem = (value("oauth_problem") ?? said.problem).map(Redaction.none.clean)
    advice = (value("oauth_problem_advice") ?? said.advice).map(Redaction.none.clean)
    details = parameters.filter { $0.name.hasPrefix("oauth_parameters_") || $0.name.hasPrefix("oauth_acceptable_") }
      .map { OAuth1Parameter(Redaction.none.clean($0.name), Redaction.none.clean($0.value)) }
    let body = response.trimmedBody
    let isWhole = body.isEmpty || parsed["oauth_problem"] != nil
    rest = [isWhole ? nil : .init("body", .string(secrets.cleanBody(body))), response.redirectTarget(hiding: secrets)].compactMap(\.self)
  }

  /// A problem that a redirect reported.
  package init(status: Int?, problem: String, advice: String?) {
    self.status = status
    self.problem = Redaction.none.clean(problem)
    self.advice = advice.map(Redaction.none.clean)
    (details, rest) = ([], [])
  }

  /// Whether the same request with another timestamp may succeed.
  package var rejectsTimestamp: Bool { problem == "timestamp_refused" }

  /// Whether the token itself is invalid, so that a renewal or a sign-in is needed.
  package var rejectsToken: Bool {
    ["token_expired", "token_revoked", "token_rejected", "token_used", "permission_unknown"].contains(problem)
  }

  /// Whether the user's approval is missing, which repeating the request does not change.
  package var lacksApproval: Bool { ["permission_denied", "user_refused", "additional_authorization_required"].contains(problem) }

  /// Whether the request or the client is at fault, which another token does not change.
  package var rejectsRequest: Bool {
    guard let problem else { return false }
    return ["signature_", "timestamp_", "nonce_", "consumer_key_", "parameter_", "version_"].contains { problem.hasPrefix($0) }
      || lacksApproval
  }

  private static let words = [
    "version_rejected", "parameter_absent", "parameter_rejected", "timestamp_refused", "nonce_used", "signature_method_rejected",
    "signature_invalid", "consumer_key_unknown", "consumer_key_rejected", "consumer_key_refused", "token_used", "token_expired",
    "token_revoked", "token_rejected", "additional_authorization_required", "permission_unknown", "permission_denied", "user_refused",
  ]

  /// `accessDenied` if the user or the service denied approval, else `authorizationServerError`.
  package var failure: OAuthFailure {
    var members: [JSON.Member] = []
    // A response with status 2xx may contain tokens, so only the extension's own words are quoted.
    let isSuccess = status.map { (200..<300).contains($0) } ?? false
    let shown = isSuccess ? Self.words.first { $0 == problem } : problem
    if let shown { members.append(.init("error", .string(shown))) }
    if !isSuccess {
      if let advice { members.append(.init("errorDescription", .string(advice))) }
      for detail in details { members.append(.init(detail.name, .string(detail.value))) }
    }
    if let status { members.append(.init("httpStatus", .integer(status))) }
    members += rest
    if ["permission_denied", "user_refused"].contains(problem) { return .denied(isSuccess ? nil : advice, members) }
    let isRedirect = status.map { (300..<400).contains($0) } ?? false
    let what = shown ?? (isRedirect ? "a redirect, which is not followed here" : status.map { "status \($0)" } ?? "a problem")
    let isTransient = problem == nil && (status == 408 || status == 429 || (500...599).contains(status ?? 0))
    return OAuthFailure(
      .authorizationServerError, "the authorization server answered with \(what)\(Redaction.none.sentence(advice))", details: members,
      isRetryable: isTransient || rejectsTimestamp || problem == "nonce_used")
  }
}

// MARK: Reading
extension OAuth1Problem {
  /// Returns an error that is not in the extension's format: JSON's `error`, X's `errors`, or a word on the first line.
  private static func said(
    _ parsed: OAuth1Response, _ response: HTTPResponse, _ secrets: Redaction
  ) -> (problem: String?, advice: String?) {
    func text(_ json: JSON?) -> String? {
      let text: String? = if case .integer(let number)? = json { String(number) } else { json?.string }
      return text.flatMap { $0.isEmpty || secrets.hide(in: $0) != $0 ? nil : $0 }
    }
    if let json = parsed.json {
      let first = json["errors"]?.array?.first ?? json["error"]
      let code = text(first?["code"]) ?? text(json["error"]) ?? text(json["code"])
      let message = text(first?["message"]) ?? text(json["error_description"]) ?? text(json["message"])
      return (code, message ?? text(json["errors"]?.array?.first))
    }
    // Google answered with `signature_invalid`, a line end, and the base string.
    let line = response.body.prefix { $0 > 0x20 }
    if isWord(line) { return (String(decoding: line, as: UTF8.self), nil) }
    let isText = response.header("Content-Type")?.lowercased().hasPrefix("text/plain") == true
    let isForm = parsed.members.contains { !$0.value.isEmpty } && (!isText || parsed["oauth_problem"] != nil)
    return (nil, isForm ? nil : text(.string(words(of: response.trimmedBody))))
  }

  /// Returns the words of a text or of XML, without its tags; nothing for an HTML page.
  private static func words(of body: [UInt8]) -> String {
    let body = String(decoding: body.prefix(4096), as: UTF8.self)
    if body.lowercased().contains("<html") { return "" }
    var isTag = false
    let text = body.map { character in
      if character == "<" { isTag = true }
      defer { if character == ">" { isTag = false } }
      return isTag ? " " : character
    }
    return text.split(whereSeparator: \.isWhitespace).map { String($0) }.joined(separator: " ")
  }

  /// Returns whether the text looks like the extension's words: small letters and `_`, at least one `_`, at most 64 bytes.
  private static func isWord(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    text.count <= 64 && text.contains(UInt8(ascii: "_")) && text.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }
  }
}
