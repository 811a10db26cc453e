import Jansson

/// The body of an authorization server's answer in whatever form it came, and the error that it may be.
struct TokenAnswer {
  private let members: JSON
  /// The object in which the token members stand.
  private let tokens: JSON
  private let manner: AnswerManner
  private let response: HTTPResponse

  private let isKept: Bool
  /// Why the body, which looks like JSON, could not be read as such.
  private let fault: JSONFault?
  /// What was sent and must not come back in a message.
  private let hidden: Redaction

  init(_ response: HTTPResponse, _ manner: AnswerManner = .init(), hiding hidden: Redaction) {
    let (members, fault) = Self.read(response, manner.answerFormat)
    self.init(members, fault, manner, response, hiding: hidden, isKept: false)
  }

  /// One that another program kept, in the provider's writing or with the specification's names.
  init(kept members: JSON, _ manner: AnswerManner) {
    self.init(members, nil, manner, HTTPResponse(status: 200), hiding: .none, isKept: true)
  }

  private init(
    _ members: JSON, _ fault: JSONFault?, _ manner: AnswerManner, _ response: HTTPResponse, hiding hidden: Redaction, isKept: Bool
  ) {
    self.isKept = isKept
    self.fault = fault
    self.response = response
    self.manner = manner
    self.hidden = hidden
    self.members = members
    let found = manner.tokenPath?.value(in: members)
    // Slack's first answer has the user's token inside, the answers to its refreshes have it outside.
    tokens = if case .object? = found { found ?? members } else { members }
  }

  /// A member by its standard name, wherever the provider has it. A life that is not there may stand in its usual place, since answers of two ages
  /// differ (Facebook's `expires` and `expires_in`); anything else that stands there, such as a token, may be another one.
  subscript(_ name: String) -> JSON? {
    guard let path = manner.memberNames[name] else { return tokens[name] }
    if let value = path.value(in: members) { return value }
    return isKept || name == "expires_in" ? tokens[name] : nil
  }

  /// Where that member stands, as a JSON pointer inside the answer (RFC 6901).
  func pointer(to name: String) -> String {
    if let path = manner.memberNames[name], path.value(in: members) != nil { return path.pointer }
    guard let path = manner.tokenPath, case .object? = path.value(in: members) else { return Fields.pointer(to: name, in: "") }
    return Fields.pointer(to: name, in: path.pointer)
  }

  /// What is kept of the answer with the account, by the last parts of its members' paths.
  var attributes: NamedValues<String> { manner.attributes(of: members) }

  /// JSON wherever it is JSON, whatever the Content-Type says; else a form, as Facebook and GitHub used to send.
  private static func read(_ response: HTTPResponse, _ format: AnswerManner.Format) -> (JSON, JSONFault?) {
    // A byte order mark is no part of JSON (RFC 8259, 8.1), yet some servers send it.
    let hasMark = response.body.starts(with: [0xEF, 0xBB, 0xBF])
    let body = hasMark ? Array(response.body.dropFirst(3)) : response.body
    let first = body.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    if first == UInt8(ascii: "{"), format != .form {
      do throws(JSONFault) {
        return (try JSON.parse(body), nil)
      } catch {
        // A number beyond 64 bits in some member is no reason to lose the token beside it.
        if case .numberOutOfRange(let rest?) = error { return (rest, nil) }
        return (.object([]), error)
      }
    }
    guard format != .json, let first, first != UInt8(ascii: "<"), body.contains(UInt8(ascii: "=")), body.count < 1 << 16 else {
      return (.object([]), nil)
    }
    var members: [JSON.Member] = []
    for (name, value) in FormEncoding.decodeLeniently(body) where !members.contains(where: { $0.name == name }) {
      members.append(.init(name, .string(value)))
    }
    return (.object(members), nil)
  }

  /// What is said where a member is missing that has to be there; `answer` is what it was an answer to. A body that could not be read may well have it.
  func missing(_ member: String, of answer: String) -> OAuthFailure {
    switch fault {
    case nil: .untrusted("the \(answer) answer has no \(member)")
    case .duplicateMember: .untrusted("the \(answer) answer is json that names a member twice, so that it could be read in two ways")
    default: .untrusted("the \(answer) answer begins like json and cannot be read as such")
    }
  }

  /// The error's code: a string as the specification has it (RFC 6749, 5.2), or inside an object as Facebook has it.
  private var error: String? {
    if let code = manner.tokenErrors?.code?.value(in: members)?.errorCode { return code }
    switch members["error"] {
    case .string(let code)?: return code.isEmpty ? nil : code
    case .object?:
      let inner = members["error"]
      return inner?["type"]?.string ?? inner?["status"]?.string ?? inner?["code"]?.string ?? "error"
    case .bool(true)?: return "error"
    default: return nil
    }
  }

  private var errorDescription: String? {
    let text =
      manner.tokenErrors?.message?.value(in: members)?.scalarText ?? members["error_description"]?.string ?? members["error"]?["message"]?
      .string ?? members["message"]?.string
    return text.flatMap { $0.isEmpty ? nil : hidden.clean($0) }
  }

  /// Whether the body is an error as RFC 6749 (5.2) has it, of which the members say all.
  private var isStandardError: Bool {
    guard response.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), fault == nil else { return false }
    return members["error"]?.string?.isEmpty == false
  }

  /// Whether it is a failure even if its status is 200: what the provider says of success decides, else an `error` (GitHub, Slack, Reddit).
  private var isRefusal: Bool { manner.tokenErrors?.success?.value(in: members)?.saysSuccess.map { !$0 } ?? (error != nil) }

  /// Why this is no success, if it is none.
  var failure: OAuthFailure? {
    if (200..<300).contains(response.status), !isRefusal { return nil }
    var details: [JSON.Member] = []
    // Judged as it came, shown as it may be shown.
    let shown = error.map(hidden.clean)
    if let shown { details.append(.init("error", .string(shown))) }
    if let errorDescription { details.append(.init("errorDescription", .string(errorDescription))) }
    if let page = hidden.errorPage(members["error_uri"]?.string) { details.append(page) }
    for name in ["error_codes", "suberror", "error_subcode"] {
      if let code = subCode(members[name]) { details.append(.init(Self.camelCase(name), code)) }
    }
    // Facebook's error is an object with codes of its own inside.
    for name in ["code", "error_subcode"] {
      if let code = subCode(members["error"]?[name]) { details.append(.init(Self.camelCase(name), code)) }
    }
    // GitHub names the pause that it wants from now on.
    if error == "slow_down", let interval = members["interval"], interval.string != nil || TokenExpiry.number(interval) != nil {
      details.append(.init("interval", subCode(interval) ?? .null))
    }
    details.append(.init("httpStatus", .integer(response.status)))
    if !isStandardError, response.body.contains(where: { $0 > 0x20 }) {
      details.append(.init("body", .string(hidden.cleanBody(response.body))))
    }
    let isRedirect = (300..<400).contains(response.status)
    let what = isRedirect ? "a redirect, which is not followed here" : shown ?? "status \(response.status)"
    var failure = OAuthFailure(
      .authorizationServerError, "the authorization server answered with \(what)\(hidden.sentence(errorDescription))", details: details,
      isRetryable: isTransient)
    failure.refusesRefreshToken = !isTransient && refusesGrant
    return failure
  }

  /// Whether the grant itself was rejected: `invalid_grant` and its kin. An answer that says nothing, or a proxy's page, is no judgement of the grant.
  private var refusesGrant: Bool {
    if isListedAsRefusal { return true }
    return error.map(["invalid_grant", "bad_refresh_token", "invalid_refresh_token"].contains) ?? false
  }

  /// Whether the description lists the error as a rejection; an answer without a body has its status for a code.
  private var isListedAsRefusal: Bool {
    let isEmpty = response.body.allSatisfy { $0 <= 0x20 }
    guard let code = error ?? (isEmpty ? String(response.status) : nil) else { return false }
    return manner.tokenErrors?.refused.contains(code) == true
  }

  /// Whether it may pass by itself: 408, 429, 5xx, and the two errors that say so. A server that is out of order says `invalid_grant` as well.
  private var isTransient: Bool {
    if isListedAsRefusal { return false }
    return switch response.status {
    case 408, 429, 500...599: true
    default: error == "temporarily_unavailable" || error == "server_error" || error == "slow_down"
    }
  }

  /// A provider's sub-code as it may stand in our data: an exact integer, a clean string, or a few of them; anything else is no code.
  private func subCode(_ json: JSON?) -> JSON? {
    switch json {
    case .integer(let code)? where code.magnitude <= 9_007_199_254_740_991: return .integer(code)
    case .string(let code)?: return .string(hidden.clean(code))
    case .array(let codes)? where codes.count <= 16:
      let few = codes.compactMap { code -> JSON? in if case .array = code { nil } else { subCode(code) } }
      return few.isEmpty ? nil : .array(few)
    default: return nil
    }
  }

  private static func camelCase(_ name: String) -> String {
    let parts = name.split(separator: "_")
    return parts.dropFirst().reduce(String(parts[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }
}
