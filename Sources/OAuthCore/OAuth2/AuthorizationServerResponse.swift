import Jansson

/// The body of an authorization server's response, in any format, and the error that it may contain.
package struct AuthorizationServerResponse {
  private let members: JSON
  /// The object with the token members.
  private let tokens: JSON
  private let options: TokenResponseOptions
  private let response: HTTPResponse

  private let isStored: Bool
  /// Why a body that looks like JSON could not be parsed.
  private let fault: JSONFault?
  /// The values that were sent or received and that no message may quote.
  private let hidden: Redaction
  /// The names of errors that a message may quote; nil for all.
  private let shownErrors: Set<String>?

  /// With `shownErrors`, the response is a token endpoint's. One with status 2xx may contain tokens, so only errors of these names are quoted.
  package init(
    _ response: HTTPResponse, _ options: TokenResponseOptions = .init(), hiding hidden: Redaction, shownErrors: Set<String>? = nil
  ) {
    let (members, fault) = Self.read(response)
    let isQuoted = !(200..<300).contains(response.status)
    self.init(
      members, fault, options, response, hiding: hidden.adding { members.receivedSecrets }, isStored: false,
      shownErrors: isQuoted ? nil : shownErrors)
  }

  /// Reads a stored token response of another program, with the provider's member names or the standard ones.
  package init(stored members: JSON, _ options: TokenResponseOptions) {
    self.init(members, nil, options, HTTPResponse(status: 200), hiding: .none, isStored: true, shownErrors: [])
  }

  private init(
    _ members: JSON, _ fault: JSONFault?, _ options: TokenResponseOptions, _ response: HTTPResponse, hiding hidden: Redaction,
    isStored: Bool, shownErrors: Set<String>?
  ) {
    (self.isStored, self.shownErrors, self.fault, self.response, self.options) = (isStored, shownErrors, fault, response, options)
    self.hidden = hidden
    // An empty scope is no scope, but a missing one means the requested scopes (RFC 6749, 5.1).
    let members = members.withoutEmptyMembers(except: options.memberNames["scope"]?.name ?? "scope")
    self.members = members
    let found = options.tokenPath?.value(in: members)
    // Slack's first response has the user's token in a nested object; its refresh responses have it at the top level.
    tokens = if case .object? = found { found ?? members } else { isStored ? members : members.withAccessToken ?? members }
  }

  /// Returns a member by its standard name from the path where the provider has it.
  ///
  /// A missing `expires_in` is also looked up under its standard name, since Facebook uses both `expires` and `expires_in`. Other members are not: a
  /// token there may be a different token.
  package subscript(_ name: String) -> JSON? {
    guard let path = options.memberNames[name] else { return tokens.member(spelled: name) }
    if let value = path.value(in: members) { return value }
    return isStored || name == "expires_in" ? tokens[name] : nil
  }

  /// Returns the JSON pointer of a member in the response (RFC 6901).
  package func pointer(to name: String) -> String {
    if let path = options.memberNames[name], path.value(in: members) != nil { return path.pointer }
    guard let path = options.tokenPath, case .object? = path.value(in: members) else { return ObjectReader.pointer(to: name, in: "") }
    return ObjectReader.pointer(to: name, in: path.pointer)
  }

  /// The members of the response that are stored with the account, by the last component of their paths.
  package var attributes: NamedValues<String> { options.attributes(of: members) }

  /// Reads JSON whatever the Content-Type says, else a form, which some servers send.
  private static func read(_ response: HTTPResponse) -> (JSON, JSONFault?) {
    let body = response.trimmedBody
    let first = body.first
    if first == UInt8(ascii: "{") {
      do throws(JSONFault) {
        return (try JSON.parseRounding(body), nil)
      } catch {
        return (.object([]), error)
      }
    }
    guard let first, first != UInt8(ascii: "<"), body.contains(UInt8(ascii: "=")), body.count < 1 << 16 else { return (.object([]), nil) }
    var members: [JSON.Member] = []
    for (name, value) in FormEncoding.decodeLeniently(body) {
      guard !members.contains(where: { $0.name == name }) else { return (.object([]), .duplicateMember(position: 0)) }
      members.append(.init(name, .string(value)))
    }
    return (.object(members), nil)
  }

  /// Returns the error for a missing required member; `kind` names the kind of response. `advice` is for a response that has other members.
  /// If the body could not be parsed, the error says so instead.
  package func missing(_ member: String, of kind: String, advice: String? = nil) -> OAuthFailure {
    switch fault {
    case .duplicateMember: return .untrusted("the \(kind) response names a member twice, so it is ambiguous")
    case _?: return .untrusted("the \(kind) response begins like JSON and cannot be read as such")
    case nil:
      let hasMembers = response.body.first { $0 > 0x20 } == UInt8(ascii: "{") && members.members?.isEmpty == false
      let isPage = shape.hasSuffix("text/html")
      let advice = isPage ? "if the network wants a sign-in of its own (captive portal), do that first" : hasMembers ? advice : nil
      return .untrusted("the \(kind) response has no \(member): \(shape)\(advice.map { "; \($0)" } ?? "")").with(\.isRetryable, isPage)
    }
  }

  /// What the response is instead, such as a page of a captive portal. Quotes nothing, because any part may be the token.
  private var shape: String {
    let type = response.header("Content-Type").map { String($0.prefix { $0 != ";" }.trimmed) }
    let kind = response.body.isEmpty ? "no body" : Self.types.first { $0 == type }
    return ["status \(response.status)", kind].compactMap(\.self).joined(separator: ", ")
  }

  private static let types = [
    "application/json", "text/html", "text/plain", "application/x-www-form-urlencoded", "application/xml", "text/xml", "text/javascript",
  ]

  /// The error code where the description or the standard (RFC 6749, 5.2) has it.
  private var errorText: String? { options.tokenErrors?.code?.value(in: members)?.errorCode ?? members["error"]?.string }

  /// The same, or a member of an object, as Facebook sends it.
  private var error: String? {
    if let errorText { return errorText }
    switch members["error"] {
    case .object?:
      let inner = members["error"]
      return inner?["type"]?.string ?? inner?["status"]?.string ?? inner?["code"]?.string ?? "error"
    case .bool(true)?: return "error"
    default: return nil
    }
  }

  private var errorDescription: String? {
    let standard = members["error_description"]?.string ?? members["error"]?["message"]?.string
    let others = ["message", "detail", "msg", "error_message"].lazy.compactMap { members[$0]?.string }
    let text = options.tokenErrors?.message?.value(in: members)?.scalarText ?? standard ?? others.first
    return shownErrors == nil ? text.map(hidden.clean) : nil
  }

  /// The body of an error if it is a sentence; nil for a page, a form or a word, which may be a token.
  private var sentence: String? {
    let text = String(decoding: response.trimmedBody.prefix(1000), as: UTF8.self)
    guard shownErrors == nil, !text.unicodeScalars.contains(where: "<{[=".unicodeScalars.contains) else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count > 1 ? words.joined(separator: " ") : nil
  }

  /// Whether the body is a standard error (RFC 6749, 5.2). Its members say everything, so the body itself is not reported.
  private var isStandardError: Bool { response.trimmedBody.first == UInt8(ascii: "{") && fault == nil && members["error"]?.string != nil }

  /// Whether the response is an error, even with status 200. The provider's success member decides, else an `error` member (GitHub, Slack, Reddit).
  private var isRejection: Bool { options.tokenErrors?.success?.value(in: members)?.saysSuccess.map { !$0 } ?? (error != nil) }

  /// The error in this response; nil for a success.
  package var failure: OAuthFailure? {
    if (200..<300).contains(response.status), !isRejection { return nil }
    var details: [JSON.Member] = []
    // The checks use the original code; only the reported one is cleaned.
    let shown = error.flatMap { isShown($0) ? hidden.clean($0) : nil }
    if let shown { details.append(.init("error", .string(shown))) }
    if let errorDescription { details.append(.init("errorDescription", .string(errorDescription))) }
    let codes = [
      ("errorCodes", members["error_codes"]), ("suberror", members["suberror"]), ("errorSubcode", members["error_subcode"]),
      // Facebook's error object has further codes.
      ("code", members["error"]?["code"]), ("errorSubcode", members["error"]?["error_subcode"]),
    ]
    if shownErrors == nil {
      if let page = hidden.errorPage(members["error_uri"]?.string) { details.append(page) }
      details += codes.compactMap { name, code in subCode(code).map { JSON.Member(name, $0) } }
      if let claims = DemandedClaims.text(members["claims"], hiding: hidden) { details.append(.init("claims", .string(claims))) }
    }
    // GitHub's `interval` is the new poll interval.
    if error.flatMap(ServerError.init) == .slowDown, let interval = DeviceAuthorizationResponse.interval(members["interval"]) {
      details.append(.init("interval", .integer(interval)))
    }
    details.append(.init("httpStatus", .integer(response.status)))
    if shownErrors == nil, let target = response.redirectTarget(hiding: hidden) { details.append(target) }
    if !isStandardError, shownErrors == nil, response.body.contains(where: { $0 > 0x20 }) {
      details.append(.init("body", .string(hidden.cleanBody(response.body))))
    }
    let redirect = response.redirect(hiding: hidden)
    let status = (shownErrors == nil ? "" : "an error that may contain tokens and is not shown, with ") + "status \(response.status)"
    let said = errorDescription ?? (shown == nil && redirect == nil ? sentence : nil)
    var failure = OAuthFailure(
      .authorizationServerError, "the authorization server answered with \(redirect ?? shown ?? status)\(hidden.sentence(said))",
      details: details, isRetryable: isTransient)
    let isAboutLogin = !response.rejectsProof
    let isWithoutToken = self["access_token"] == nil
    failure.refusal =
      isListedAsRejection ? .login : isAboutLogin && isWithoutToken ? Refusal(status: response.status, error: errorText) : nil
    return failure
  }

  private func isShown(_ error: String) -> Bool {
    shownErrors?.contains(error) != false || options.tokenErrors?.refused.contains(error) == true
  }

  /// Whether the description lists the error as a rejection. A response without an error code and with an empty body has its status as the code.
  private var isListedAsRejection: Bool {
    let isEmpty = response.body.allSatisfy { $0 <= 0x20 }
    guard let code = error ?? (isEmpty ? String(response.status) : nil) else { return false }
    return options.tokenErrors?.refused.contains(code) == true
  }

  /// Whether a retry may succeed: 408, 429, 5xx, and three error codes. The status comes first, since a broken server may send `invalid_grant`.
  private var isTransient: Bool {
    if isListedAsRejection { return false }
    return switch response.status {
    case 408, 429, 500...599: true
    default: error.flatMap(ServerError.init)?.isTransient == true
    }
  }

  /// Returns a provider's sub-code for the error details: an exact integer, a clean string, or a list of up to 16; nil for anything else.
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
}

extension JSON {
  /// The object with the access token: this one, or else the only one in it that has a token, such as `data`.
  fileprivate var withAccessToken: JSON? {
    if member(spelled: "access_token") != nil { return self }
    let inner = members?.map(\.value).filter { $0.member(spelled: "access_token")?.string != nil } ?? []
    return inner.count == 1 ? inner[0] : nil
  }

  /// The tokens, codes and client secrets of a response, by the names of their members. An error may have them beside its words.
  fileprivate var receivedSecrets: [Secret] {
    switch self {
    case .array(let elements): elements.flatMap(\.receivedSecrets)
    case .object(let members):
      members.flatMap { member -> [Secret] in
        guard let text = member.value.string else { return member.value.receivedSecrets }
        return SecretName.isParameter(member.name) || member.name == "device_code" ? [Secret(text)] : []
      }
    default: []
    }
  }
}

extension TokenResponseOptions {
  /// Returns the members of a response that are stored with the account.
  package func attributes(of response: JSON) -> NamedValues<String> {
    NamedValues(tokenMembers.compactMap { path in path.value(in: response)?.attributeText.map { (path.name, $0) } })
  }
}
