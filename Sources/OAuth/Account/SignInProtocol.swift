/// A protocol's own part of a sign-in: which page is asked for, which redirects answer it, and what such a redirect buys.
///
/// What every sign-in has, whatever it speaks (one an account, deadline, listener, events), is `SignIn`'s.
protocol SignInProtocol: Sendable {
  /// Gets ready for a page, which may take a request to the provider (OAuth 1.0a's temporary credentials, OpenID 2.0's discovery).
  static func begin(_ setup: AuthorizeSetup, redirectUri: String, surroundings: Surroundings) async throws -> Self

  /// The page to open.
  var url: String { get }

  /// The code to type on the page; nil where there is none.
  var userCode: String? { get }

  /// The page where the user types that code, beside one that knows it already; nil where there is no code.
  var verificationUri: String? { get }

  /// Seconds after which the page is of no use; nil where that is not known.
  var lifetime: Int? { get }

  /// Seconds after which the page can no longer be opened, though one that is open stays good; nil where that is not known.
  var pageLifetime: Int? { get }

  /// The same sign-in with a page that can be opened; nil where its page does not end.
  func withFreshPage() async throws -> (any SignInProtocol)?

  /// What is asked until it knows that somebody has signed in; nil where a redirect tells it.
  var polling: DevicePolling? { get }

  /// Whether a redirect with these parameters answers this sign-in; one that does not must not end it.
  func claims(_ parameters: [RedirectParameter]) -> Bool

  /// Whether a redirect that was claimed says how it went: a code or an error is in it.
  func isAnswer(_ parameters: [RedirectParameter]) -> Bool

  /// The redirect that a code or verifier stands for which the provider showed and somebody typed; nil where the protocol has no such thing.
  func redirect(typed text: Secret) -> [RedirectParameter]?

  /// What a redirect that was claimed buys; called once.
  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant

  /// What the tokens make that polling brought; called once.
  func conclude(_ tokens: TokenResponse) async throws -> Grant

  /// Another page to ask for, where the grant that was kept lacks what was wanted and asking otherwise may bring it; nil where it is good.
  func again(lacking grant: Grant) async throws -> (any SignInProtocol)?
}

extension SignInProtocol {
  var userCode: String? { nil }
  var verificationUri: String? { nil }
  var lifetime: Int? { nil }
  var pageLifetime: Int? { nil }
  func withFreshPage() async throws -> (any SignInProtocol)? { nil }
  var polling: DevicePolling? { nil }
  func conclude(_ tokens: TokenResponse) async throws -> Grant { throw OAuthFailure.untrusted("only a redirect answers this sign-in") }
  func again(lacking grant: Grant) async throws -> (any SignInProtocol)? { nil }
  func redirect(typed text: Secret) -> [RedirectParameter]? { nil }
}
