import Jansson

/// Tokens for the client itself (RFC 6749, 4.4): nobody signs in, and no page is opened.
extension AuthorizeSetup {
  var isForClient: Bool { request.flow == .clientCredentials }

  /// Whether a stored grant came in the way that is asked for: a user's is none of the client's own, nor the other way round; nor is one that was asked
  /// for with other parameters, such as another `audience`.
  func isOfFlow(_ grant: Grant) -> Bool {
    switch request.flow {
    case .auto: true
    case .browser, .device: !grant.isForClient
    case .clientCredentials: grant.clientParameters.map { $0.json.sorted == request.parameters.json.sorted } ?? false
    }
  }

  /// Refuses what cannot bring a token, before anything is sent.
  func checkClient() throws {
    guard provider.protocolName == .oauth2, provider.tokenEndpoint != nil else {
      throw OAuthFailure.unsupported("the flow clientCredentials needs OAuth 2.0 and a token endpoint").of(account)
    }
    if registersClient { throw FieldError("/clientId", "is missing: a client that speaks for itself has to be known there") }
    // Only a client that can show who it is may use it (RFC 6749, 4.4).
    let isNamedOnly = provider.token.clientAuthentication == TokenManner.ClientAuthentication.none
    guard client.secret != nil || isNamedOnly else {
      throw FieldError("/clientSecret", "is missing: with the flow clientCredentials the client itself is who signs in")
    }
  }

  /// What is to become the client's grant: all but the token.
  func clientGrant(at now: Int) -> Grant {
    var grant = grant(accessToken: nil, tokenType: nil, at: now)
    grant.clientParameters = request.parameters
    grant.clientScopes = scopes
    grant.grantedScopes = scopes
    return grant
  }
}
