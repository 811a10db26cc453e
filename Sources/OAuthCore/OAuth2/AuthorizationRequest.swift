/// The authorization request that the user's browser carries to the provider (RFC 6749, 4.1.1).
package struct AuthorizationRequest: Sendable {
  package var endpoint: String
  package var clientId: String
  package var redirectUri: String
  package var scopes: [String]
  package var state: Secret
  package var nonce: String?
  package var pkce: PKCE?
  package var parameters: [(name: String, value: String)]
  package var options: AuthorizationOptions

  package init(
    endpoint: String, clientId: String, redirectUri: String, scopes: [String], state: Secret, nonce: String? = nil, pkce: PKCE? = nil,
    parameters: [(name: String, value: String)],
    options: AuthorizationOptions = AuthorizationOptions()
  ) {
    self.endpoint = endpoint
    self.clientId = clientId
    self.redirectUri = redirectUri
    self.scopes = scopes
    self.state = state
    self.nonce = nonce
    self.pkce = pkce
    self.parameters = parameters
    self.options = options
  }

  /// The URL of the authorization page; nil when the endpoint is not a URL.
  package var url: String? { page(fields) }

  /// Returns the URL for a request that was pushed before: the provider knows its parameters by `requestUri` (RFC 9126, 4).
  package func url(requestUri: String) -> String? { page(options.renamed([("client_id", clientId)]) + [("request_uri", requestUri)]) }

  private func page(_ query: [(String, String)]) -> String? {
    guard let endpoint = try? URLParts(endpoint) else { return nil }
    return (endpoint.fragment == nil ? endpoint.appendingQuery(query) : endpoint.appendingFragmentQuery(query)).description
  }

  /// All parameters. The caller's extra parameters come last and never replace the standard ones, which protect the user.
  package var fields: [(String, String)] {
    var query = [("response_type", "code"), ("client_id", clientId), ("redirect_uri", redirectUri)]
    if !scopes.isEmpty, let parameter = options.scopeParameter {
      query.append((parameter, scopes.joined(separator: options.scopeSeparator)))
    }
    query.append((options.stateParameter, state.value))
    if let nonce { query.append(("nonce", nonce)) }
    if let pkce { query += [("code_challenge", pkce.challenge), ("code_challenge_method", "S256")] }
    query = options.renamed(query)
    return query + options.sendable(parameters).filter { extra in !query.contains { $0.0 == extra.name } }.map { ($0.name, $0.value) }
  }
}

extension AuthorizationOptions {
  /// Returns standard parameters under the provider's names, without those that the provider does not accept.
  func renamed(_ parameters: [(String, String)], except isOwn: (String) -> Bool = { _ in false }) -> [(String, String)] {
    parameters.compactMap { parameter in isOwn(parameter.0) ? parameter : name(of: parameter.0).map { ($0, parameter.1) } }
  }

  /// Returns the caller's extra parameters. Drops `resource` (RFC 8707, 2) unless the provider accepts it.
  func sendable(_ parameters: [(name: String, value: String)]) -> [(name: String, value: String)] {
    resourceIndicator == .on ? parameters : parameters.filter { $0.name != "resource" }
  }
}
