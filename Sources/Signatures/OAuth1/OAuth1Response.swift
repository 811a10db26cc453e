import Jansson
import OAuthCore

/// The members of a server's response: a form (RFC 5849 §2.1, §2.3), JSON, or neither.
struct OAuth1Response {
  package let members: [OAuth1Parameter]
  /// The response as JSON; nil if it does not begin like a JSON object.
  package let json: JSON?

  init(_ response: HTTPResponse) {
    let body = response.trimmedBody
    let first = body.first
    if first == UInt8(ascii: "{") {
      let json = (try? JSON.parseRounding(body)) ?? .object([])
      self.json = json
      members = (json.members ?? []).compactMap { member in
        switch member.value {
        case .string(let text): OAuth1Parameter(member.name, text)
        case .integer(let number): OAuth1Parameter(member.name, String(number))
        case .bool(let flag): OAuth1Parameter(member.name, flag ? "true" : "false")
        default: nil
        }
      }
    } else {
      json = nil
      // HTML pages and bodies of 64 KiB or more are not forms.
      let isForm = first != nil && first != UInt8(ascii: "<") && body.count < 1 << 16
      members = isForm ? OAuth1Form.decode(body) : []
    }
  }

  /// Returns the value of a name. For a repeated name, the last value counts, as in GTMOAuth.
  subscript(_ name: String) -> String? { members.last { $0.name == name }?.value }

  /// Returns whether the name has two different values. Parsers disagree about which of them counts.
  func isAmbiguous(_ name: String) -> Bool { members.contains { $0.name == name && $0.value != self[name] } }
}

extension OAuth1Response {
  /// Reads a successful response; throws the failure of any other.
  init(succeeding response: HTTPResponse, _ request: OAuth1Request) throws(OAuthFailure) {
    if let problem = OAuth1Problem(response, sent: request) { throw problem.failure }
    self.init(response)
  }

  /// Returns the token. Token and secret must be present and unambiguous; the secret may be empty.
  func token() throws(OAuthFailure) -> OAuth1Token {
    guard let token = self["oauth_token"], !token.isEmpty else { throw .untrusted("the response has no token") }
    guard let secret = self["oauth_token_secret"] else { throw .untrusted("the response has no token secret") }
    guard !isAmbiguous("oauth_token"), !isAmbiguous("oauth_token_secret") else { throw .untrusted("the response has two different tokens") }
    return OAuth1Token(token: Secret(token), secret: Secret(secret))
  }

  func extra(besides known: Set<String>) -> [OAuth1Parameter] {
    members.filter { !known.contains($0.name) && $0.name != "oauth_token" && $0.name != "oauth_token_secret" }
  }
}

/// The response to a temporary credential request (RFC 5849 §2.1).
package struct TemporaryCredentials: Sendable, Equatable {
  package let token: OAuth1Token
  /// The other members of the response, such as `xoauth_request_auth_url`.
  package let extra: [OAuth1Parameter]

  /// Throws the failure of an `OAuth1Problem` for an error response.
  ///
  /// Throws `responseUntrusted` without a token, a secret or, if it is `required`, `oauth_callback_confirmed=true`. A server that does not confirm
  /// uses the first version of OAuth 1.0, which is open to the session fixation attack of 2009.
  package init(
    _ response: HTTPResponse, sent request: OAuth1Request, confirmation: OAuth1Options.CallbackConfirmation = .required
  ) throws(OAuthFailure) {
    let parsed = try OAuth1Response(succeeding: response, request)
    token = try parsed.token()
    guard confirmation == .optional || parsed["oauth_callback_confirmed"]?.lowercased() == "true" else {
      throw .untrusted(
        "the server did not confirm the callback (oauth_callback_confirmed), so a sign-in may be open to session fixation: "
          + "to accept this server, set oauthCallbackConfirmed in the provider's description to optional")
    }
    extra = parsed.extra(besides: ["oauth_callback_confirmed"])
  }

  /// Returns the URL of the authorization page (§2.2): the endpoint with its own query, the token, and the service's extra parameters, such as `hd`.
  /// The URL is not signed.
  package func authorizationURL(_ endpoint: String, parameters: [OAuth1Parameter] = []) throws(OAuthFailure) -> String {
    do throws(URLFailure) {
      let pairs = [("oauth_token", token.token.value)] + parameters.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) }
      return try URLParts(endpoint).appendingQuery(pairs).description
    } catch {
      throw OAuthFailure.misconfigured("/authorizationEndpoint", error.description)
    }
  }
}

/// The response to a token request (RFC 5849 §2.3).
package struct TokenCredentials: Sendable, Equatable {
  package let token: OAuth1Token
  /// Renews the token after it has expired (OAuth Session 1.0 draft 1, §3).
  package let sessionHandle: Secret?
  /// Seconds after the response; nil if the token does not expire.
  package let expiresIn: Int64?
  /// Seconds during which the handle can renew the token; nil if unknown.
  package let authorizationExpiresIn: Int64?
  /// The other members of the response, such as `user_id`, `screen_name` and `edam_shard`.
  package let extra: [OAuth1Parameter]

  /// Throws the failure of an `OAuth1Problem` for an error response, and `responseUntrusted` without a token or a secret.
  package init(_ response: HTTPResponse, sent request: OAuth1Request) throws(OAuthFailure) {
    let parsed = try OAuth1Response(succeeding: response, request)
    token = try parsed.token()
    sessionHandle = parsed["oauth_session_handle"].flatMap { $0.isEmpty ? nil : Secret($0) }
    expiresIn = Self.seconds(parsed["oauth_expires_in"])
    authorizationExpiresIn = Self.seconds(parsed["oauth_authorization_expires_in"])
    extra = parsed.extra(besides: ["oauth_session_handle", "oauth_expires_in", "oauth_authorization_expires_in"])
  }

  package subscript(_ name: String) -> String? { extra.last { $0.name == name }?.value }

  /// Returns whole seconds up to a century. Some services send 0 for a token that does not expire, which gives nil.
  private static func seconds(_ text: String?) -> Int64? {
    guard let seconds = text.flatMap({ Int64($0) }), (1...3_155_760_000).contains(seconds) else { return nil }
    return seconds
  }
}

/// The callback's result (RFC 5849 §2.2), matched with the token that the user was asked to approve.
package enum OAuth1Callback: Sendable, Equatable {
  /// It names another token or none, so it is ignored and the waiter keeps waiting.
  case notOurs
  case verifier(Secret)
  case failure(OAuthFailure)

  /// `parameters` are the redirect's, decoded. `token` is the temporary credentials' token.
  ///
  /// A denial also counts only with this token: otherwise any page that the user visits could end the sign-in.
  package init(_ parameters: [RedirectParameter], token: Secret) {
    func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
    // X reports a denial by `denied=TOKEN` instead of `oauth_token`.
    let denied = values("denied")
    let tokens = values("oauth_token") + (values("oauth_token").isEmpty ? denied : [])
    guard let named = tokens.first, !token.value.isEmpty, Secret(named) == token, tokens.allSatisfy({ $0 == named }) else {
      self = .notOurs
      return
    }
    let verifiers = values("oauth_verifier")
    if let problem = values("oauth_problem").first, !problem.isEmpty {
      self = .failure(OAuth1Problem(status: nil, problem: problem, advice: values("oauth_problem_advice").first).failure)
    } else if denied.contains(token.value) || verifiers == ["denied"] {
      // Jira sends `oauth_verifier=denied`. A real verifier is never this word.
      self = .failure(OAuthFailure(.accessDenied, "the sign-in was denied", details: [.init("error", "permission_denied")]))
    } else if verifiers.count > 1 {
      self = .failure(.untrusted("the redirect has two verifiers"))
    } else if let verifier = verifiers.first, !verifier.isEmpty {
      self = .verifier(Secret(verifier))
    } else {
      self = .failure(.untrusted("the redirect has neither a verifier nor a problem"))
    }
  }

  /// Returns the verifier that the user typed or pasted (`oob`), without white space around it; nil if it is empty.
  package static func typed(_ text: Secret) -> Secret? {
    let verifier = text.value.trimmed
    return verifier.isEmpty ? nil : Secret(String(verifier))
  }
}
