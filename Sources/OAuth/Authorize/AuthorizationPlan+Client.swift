import Jansson
import OAuthCore

/// Tokens for the client itself (RFC 6749, 4.4). No user signs in and no page is opened.
extension AuthorizationPlan {
  var isForClient: Bool { request.flow == .clientCredentials }

  /// Whether a stored grant was issued by the requested flow. A user's grant does not match the client's own, nor the reverse.
  /// A client's grant with other parameters, such as another `audience`, does not match either.
  func isOfFlow(_ grant: Grant) -> Bool {
    switch request.flow {
    case .auto: true
    case .browser, .device: !grant.isForClient
    case .clientCredentials: grant.clientParameters.map { $0.json.sorted == request.parameters.json.sorted } ?? false
    }
  }

  /// Before a request is sent, rejects a setup that cannot get a token.
  func checkClient() throws {
    guard provider.protocolName == .oauth2, provider.tokenEndpoint != nil else {
      throw OAuthFailure.unsupported("the flow clientCredentials needs OAuth 2.0 and a token endpoint").of(account)
    }
    if registersClient { throw FieldError("/clientId", "is missing: a client that speaks for itself has to be known there") }
    // Only a client that can authenticate may use this flow (RFC 6749, 4.4).
    let isNamedOnly = provider.token.clientAuthentication == TokenOptions.ClientAuthentication.none
    guard client.secret != nil || isNamedOnly else {
      throw FieldError("/clientSecret", "is missing: with the flow clientCredentials the client itself is who signs in")
    }
  }

  /// Returns the client's grant without a token.
  func clientGrant(at now: Int) -> Grant {
    var grant = grant(accessToken: nil, tokenType: nil, at: now)
    grant.clientParameters = request.parameters
    grant.clientScopes = scopes
    grant.grantedScopes = scopes
    return grant
  }
}
