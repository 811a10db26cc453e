import Jansson

/// The token endpoint (RFC 6749 §3.2), which behaves as the modes in the path require.
struct TokenEndpoint {
  let call: Call

  func answer() -> Response {
    guard call.request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    let form = call.request.form ?? Fields([])
    // Modes come before any check, because a server that is down reads no parameters.
    let target = Self.target(of: form)
    return call.answer(for: target) {
      if target == .refresh, let failure = refreshFailure(form) { return failure }
      do throws(OAuthError) {
        return try grant(form, target: target)
      } catch {
        return error.response
      }
    }
  }

  private static func target(of form: Fields) -> Mode.Target {
    switch form["grant_type"] {
    case "refresh_token": .refresh
    case "client_credentials": .client
    default: .code
    }
  }

  /// `refresh-fails-N`: the first N attempts with the same grant get 503.
  private func refreshFailure(_ form: Fields) -> Response? {
    guard let failures = call.modes.number(.refreshFails, for: .refresh),
      let attempt = call.site.grants.countAttempt(refreshToken: form["refresh_token"] ?? ""), attempt <= failures
    else { return nil }
    return .error("temporarily_unavailable", "try \(attempt) of \(failures) fails", status: 503, headers: [("Retry-After", "0")])
  }

  private func grant(_ form: Fields, target: Mode.Target) throws(OAuthError) -> Response {
    guard call.request.form != nil else { throw .invalidRequest("the body must be application/x-www-form-urlencoded") }
    if let name = form.duplicate { throw .invalidRequest("\(name) occurs twice") }
    let client = try RegisteredClient.authenticated(call.request, form: form, modes: call.modes, target: target)
    let policy = TokenPolicy(modes: call.modes, target: target, rotates: call.request.query["rotate"] != "0")
    let grants = call.site.grants
    let tokens: Grant.IssuedTokens
    switch form["grant_type"] {
    case "authorization_code":
      tokens = try grants.redeem(
        code: form["code"] ?? "", client: client, redirectURI: form["redirect_uri"], verifier: form.filled("code_verifier"),
        policy: policy)
    case "refresh_token":
      tokens = try grants.refresh(form["refresh_token"] ?? "", client: client, scopes: scopes(form), policy: policy)
    case "client_credentials":
      guard client.secret != nil else {
        throw OAuthError(code: "unauthorized_client", description: "a public client can't act for itself")
      }
      let scopes = scopes(form) ?? ["read"]
      if scopes.contains("forbidden") { throw .invalidScope("this scope is never granted") }
      let fewer = call.modes.has(.fewerScopes, for: .client)
      tokens = grants.grant(client: client, scopes: fewer ? Array(scopes.prefix(1)) : scopes, policy: policy)
    case nil:
      throw .invalidRequest("the grant_type is missing")
    default:
      throw OAuthError(code: "unsupported_grant_type", description: "the grant_type is none of those in the metadata")
    }
    return response(tokens, lifetime: policy.lifetime, target: target)
  }

  private func scopes(_ form: Fields) -> [String]? {
    form.filled("scope").map { $0.split(separator: " ").map(String.init) }
  }

  /// Returns the token response (RFC 6749 §5.1), changed by the modes.
  private func response(_ tokens: Grant.IssuedTokens, lifetime: Int, target: Mode.Target) -> Response {
    func has(_ name: Mode.Name) -> Bool { call.modes.has(name, for: target) }
    var members: [JSON.Member] = []
    if !has(.noAccessToken) { members.append(.init("access_token", .string(tokens.accessToken))) }
    if !has(.noTokenType) { members.append(.init("token_type", has(.lowerTokenType) ? "bearer" : "Bearer")) }
    if !has(.expiresMissing) {
      members.append(.init("expires_in", has(.expiresString) ? .string(String(lifetime)) : .integer(lifetime)))
    }
    if let refresh = tokens.refreshToken { members.append(.init("refresh_token", .string(refresh))) }
    if !has(.noScope) {
      members.append(.init("scope", .string(tokens.scopes.joined(separator: has(.commaScopes) ? "," : " "))))
    }
    let cache = [(name: "Cache-Control", value: "no-store")]
    if has(.formAnswer) || has(.formPlain) {
      let type = has(.formAnswer) ? "application/x-www-form-urlencoded" : "text/plain; charset=utf-8"
      return .text(Self.form(members).encoded, type: type, headers: cache)
    }
    return .json(.object(members), headers: cache)
  }

  private static func form(_ members: [JSON.Member]) -> Fields {
    Fields(members.map { ($0.name, $0.value.string ?? String(decoding: $0.value.text, as: UTF8.self)) })
  }
}
