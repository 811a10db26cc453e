/// A protocol's own part of a sign-in: which page is asked for, which redirects answer it, and what such a redirect buys.
///
/// What every sign-in has, whatever it speaks (one an account, deadline, listener, events), is `SignIn`'s.
protocol SignInProtocol: Sendable {
  /// Gets ready for a page, which may take a request to the provider (OAuth 1.0a's temporary credentials, OpenID 2.0's association).
  static func begin(_ setup: AuthorizeSetup, redirectUri: String, surroundings: Surroundings) async throws -> Self

  /// The page to open.
  var url: String { get }

  /// Whether a redirect with these parameters answers this sign-in; one that does not must not end it.
  func claims(_ parameters: [RedirectParameter]) -> Bool

  /// The redirect that a code or verifier stands for which the provider showed and somebody typed; nil where the protocol has no such thing.
  func redirect(typed text: Secret) -> [RedirectParameter]?

  /// What a redirect that was claimed buys; called once.
  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant

  /// Another page to ask for, where the grant that was kept lacks what was wanted and asking otherwise may bring it; nil where it is good.
  func again(lacking grant: Grant) throws -> (any SignInProtocol)?
}

extension SignInProtocol {
  func again(lacking grant: Grant) throws -> (any SignInProtocol)? { nil }
}

extension SignInProtocol {
  func redirect(typed text: Secret) -> [RedirectParameter]? { nil }
}
