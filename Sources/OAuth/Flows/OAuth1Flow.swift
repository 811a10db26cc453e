import Jansson
import OAuthCore
import Plans
import Signatures
import Store

/// A sign-in by OAuth 1.0a's three steps (RFC 5849, 2): temporary credentials, the user's approval, token credentials.
struct OAuth1Flow: SignInFlow {
  package let url: String
  private let plan: AuthorizationPlan
  private let temporary: OAuth1Token
  private let redirectUri: String
  private let endpoints: OAuth1Endpoints
  private let dependencies: Dependencies

  /// Requests the temporary credentials that the authorization page needs.
  static func begin(_ plan: AuthorizationPlan, redirectUri: String, dependencies: Dependencies) async throws -> OAuth1Flow {
    guard let page = try plan.filledProvider.authorizationEndpoint else { throw OAuthFailure.lacking("authorizationEndpoint") }
    for name in ["oauth_token", "oauth_callback"] where plan.request.parameters[name] != nil {
      throw FieldError("/parameters/\(name)", "cannot be set: the process sets this parameter itself")
    }
    let endpoints = try OAuth1Endpoints(account: plan.account, client: plan.client, provider: plan.provider, dependencies: dependencies)
    // An empty secret is allowed. A missing one is a mistake of the caller, and the server's response to the signature would not show it.
    if plan.client.secret == nil, !endpoints.signer.client.signatureMethod.usesPrivateKey {
      throw FieldError("/clientSecret", "is missing: \(endpoints.signer.client.signatureMethod.rawValue) signs with it")
    }
    let credentials = try await endpoints.temporaryCredentials(
      callback: redirectUri == AuthorizationInput.RedirectChoice.outOfBand ? nil : redirectUri,
      parameters: plan.parameters(plan.provider.oauth1.requestTokenParameters, naming: [.requestToken, .both]))
    let parameters = plan.parameters(
      plan.request.parameters.over(plan.provider.request.authorizationParameters), naming: [.authorization, .both])
    return OAuth1Flow(
      url: try credentials.authorizationURL(page, parameters: parameters), plan: plan, temporary: credentials.token,
      redirectUri: redirectUri, endpoints: endpoints, dependencies: dependencies)
  }

  /// Only the token decides: there is no `state`, and a callback for another token belongs to another sign-in.
  func claims(_ parameters: [RedirectParameter]) -> Bool { OAuth1Callback(parameters, token: temporary.token) != .notOurs }

  var redirectKey: Secret? { temporary.token }

  func isResponse(_ parameters: [RedirectParameter]) -> Bool {
    parameters.contains { ["oauth_verifier", "oauth_problem", "denied"].contains($0.name) && !$0.value.isEmpty }
  }

  /// Takes a verifier that the page shows (`oob`).
  func redirect(typed text: Secret) -> [RedirectParameter]? {
    guard let verifier = OAuth1Callback.typed(text) else { return nil }
    return [
      RedirectParameter(name: "oauth_token", value: temporary.token.value),
      RedirectParameter(name: "oauth_verifier", value: verifier.value),
    ]
  }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    switch OAuth1Callback(parameters, token: temporary.token) {
    case .failure(let failure): throw failure
    case .notOurs: throw OAuthFailure.untrusted("the redirect is for another token")
    case .verifier(let verifier):
      let sent = dependencies.clock.instant
      let credentials = try await endpoints.tokenCredentials(temporary: temporary, verifier: verifier)
      var grant = plan.grant(accessToken: credentials.token.token, tokenType: Grant.signedTokenType, at: sent.seconds)
      grant.attributes = plan.attributes(from: parameters)
      grant.take(credentials, at: sent)
      // Before anything is stored, rejects a base URL on a host that is not allowed.
      _ = try plan.provider.filled(with: grant.attributes, client: plan.client, isComplete: true)
      // No response names the granted scopes.
      grant.grantedScopes = plan.scopes
      grant.redirectUri = redirectUri
      return grant
    }
  }
}

extension AuthorizationPlan {
  /// Returns a step's parameters, with the scopes if the provider wants them in one of `steps`. Empty values are left out.
  fileprivate func parameters(_ members: NamedValues<String>, naming steps: [OAuth1Options.ScopeStep]) -> [OAuth1Parameter] {
    var parameters = members.pairs.map { OAuth1Parameter($0.name, $0.value) }
    if let name = provider.request.scopeParameter, steps.contains(provider.oauth1.scopeStep), members[name] == nil {
      parameters.append(OAuth1Parameter(name, scopes.joined(separator: provider.request.scopeSeparator)))
    }
    return parameters.filter { !$0.value.isEmpty }
  }
}

extension NamedValues<String> {
  /// Returns these values, and those of `others` with other names.
  fileprivate func over(_ others: NamedValues) -> NamedValues { NamedValues(pairs + others.pairs.filter { self[$0.name] == nil }) }
}
