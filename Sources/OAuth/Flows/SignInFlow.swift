import Jansson
import OAuthCore
import Plans
import Store

/// A protocol's part of a sign-in: the page to open, the redirects that answer it, and the grant for such a redirect.
///
/// `SignIn` does what all protocols share: one sign-in per account, deadline, listener and events.
protocol SignInFlow: Sendable {
  /// The page to open.
  var url: String { get }

  /// The flow with a code to type; nil if a redirect reports the sign-in.
  var device: DeviceFlow? { get }

  /// Seconds after which the page can no longer be opened. A page that is already open stays valid. nil if unknown.
  var pageLifetime: Int? { get }

  /// Returns the same sign-in with a page that can be opened; nil if its page does not expire.
  func withFreshPage() async throws -> (any SignInFlow)?

  /// Whether a redirect with these parameters answers this sign-in. Another redirect must not end it.
  func claims(_ parameters: [RedirectParameter]) -> Bool

  /// The value that only a redirect of this page has: `state` or `oauth_token`. nil without a redirect.
  var redirectKey: Secret? { get }

  /// Whether a claimed redirect contains a result: a code or an error.
  func isResponse(_ parameters: [RedirectParameter]) -> Bool

  /// Returns the redirect for a code or verifier that the provider showed and the user typed; nil if the protocol has none.
  func redirect(typed text: Secret) -> [RedirectParameter]?

  /// Returns the grant for a claimed redirect. Called once.
  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant

  /// Returns another page if the stored grant lacks something that a different request may return; nil if the grant is sufficient.
  func consentRetry(for grant: Grant) async throws -> (any SignInFlow)?
}

extension SignInFlow {
  var device: DeviceFlow? { nil }
  var pageLifetime: Int? { nil }
  func withFreshPage() async throws -> (any SignInFlow)? { nil }
  func consentRetry(for grant: Grant) async throws -> (any SignInFlow)? { nil }
  func redirect(typed text: Secret) -> [RedirectParameter]? { nil }
}

extension AuthorizationPlan {
  /// Returns the page of a sign-in that nothing concludes.
  package func page(redirectUri: String, dependencies: Dependencies) async throws -> String {
    try await flow(redirectUri: redirectUri, dependencies: dependencies).url
  }

  /// Begins the sign-in that the provider's protocol asks for.
  func flow(redirectUri: String, dependencies: Dependencies) async throws -> any SignInFlow {
    switch provider.protocolName {
    case .oauth2: try await AuthorizationCodeFlow.begin(self, redirectUri: redirectUri, dependencies: dependencies)
    case .openid2: try OpenID2Flow(self, redirectUri: redirectUri, dependencies: dependencies)
    case .oauth1: try await OAuth1Flow.begin(self, redirectUri: redirectUri, dependencies: dependencies)
    }
  }

  /// Returns the result of the sign-in `signIn`, with the missing scopes of this request only.
  func answer(_ authorization: Authorization, of signIn: AuthorizationPlan) throws(OAuthFailure) -> Authorization {
    if expectedSubject != signIn.expectedSubject { try checkUser(authorization.subject) }
    var own = authorization
    own.missingScopes = scopes.filter { isAny(of: $0, in: authorization.missingScopes) }
    return own
  }

  /// Returns the grant for an OAuth 2.0 token response; `attributes` are the values that came with the code.
  func grant(_ tokens: TokenRequest.Response, attributes: NamedValues<String>, redirectUri: String?) throws(OAuthFailure) -> Grant {
    var grant = grant(accessToken: tokens.accessToken, tokenType: tokens.tokenType, at: tokens.issued.sent.seconds)
    grant.attributes = attributes
    grant.grantedScopes = scopes
    grant.take(tokens)
    // Before anything is stored, rejects a base URL on a host that is not allowed.
    _ = try provider.filled(with: grant.attributes, client: client, isComplete: true)
    grant.declinedScopes = grant.missing(of: scopes)
    if request.addsScopes { grant.refusedScopes = grant.missing(of: stored?.refusedScopes ?? []) }
    grant.redirectUri = redirectUri
    grant.isUntried = grant.refreshToken != nil
    grant.isShortLived = provider.longLived.longLivedGrantType != nil
    return grant
  }

  /// Returns the grant with the user that the ID token names. An invalid ID token ends the sign-in and nothing is stored,
  /// because the other tokens may belong to any user.
  func identified(_ grant: Grant, by tokens: TokenRequest.Response, _ validation: IDTokenValidation, nonce: Secret?) async throws -> Grant {
    var grant = grant
    if let token = tokens.idToken {
      let claims = try await validation.validated(token, nonce: nonce, accessToken: grant.accessToken, at: tokens.issued)
      grant.take(token, claims, tokens.issued)
    } else if provider.issuer != nil, scopes.contains("openid"), grant.grantedScopes.contains("openid") {
      // OpenID Connect Core, 3.1.3.3: the ID token is required. Without it the tokens' user is unknown.
      throw OAuthFailure.untrusted("the provider granted openid, but issued no ID token")
    }
    try checkUser(grant.subject)
    return grant
  }
}
