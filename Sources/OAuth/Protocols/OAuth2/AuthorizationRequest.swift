import Jansson

/// What the user's browser is sent to the provider with (RFC 6749, 4.1.1).
package struct AuthorizationRequest: Sendable {
  package var endpoint: String
  package var clientId: String
  package var redirectUri: String
  package var scopes: [String]
  package var state: Secret
  package var nonce: String?
  package var pkce: PKCE?
  package var parameters: [(name: String, value: String)]
  package var manner = AuthorizationManner()

  /// The URL to open; nil when the endpoint is no URL.
  package var url: String? { page(fields) }

  /// The same where the provider has been told all of it before, and knows it by `requestUri` (RFC 9126, 4).
  package func url(requestUri: String) -> String? { page(manner.renamed([("client_id", clientId)]) + [("request_uri", requestUri)]) }

  private func page(_ query: [(String, String)]) -> String? {
    guard let endpoint = try? URLParts(endpoint) else { return nil }
    return (endpoint.fragment == nil ? endpoint.appendingQuery(query) : endpoint.appendingFragmentQuery(query)).description
  }

  /// All parameters. Extra ones come last and never replace ours, which protect the user.
  package var fields: [(String, String)] {
    var query = [("response_type", "code"), ("client_id", clientId), ("redirect_uri", redirectUri)]
    if !scopes.isEmpty, let parameter = manner.scopeParameter { query.append((parameter, scopes.joined(separator: manner.scopeSeparator))) }
    query.append((manner.stateParameter, state.value))
    if let nonce { query.append(("nonce", nonce)) }
    if let pkce { query += [("code_challenge", pkce.challenge), ("code_challenge_method", "S256")] }
    query = manner.renamed(query)
    return query + manner.sendable(parameters).filter { extra in !query.contains { $0.0 == extra.name } }.map { ($0.name, $0.value) }
  }
}

extension AuthorizationManner {
  /// Standard parameters under the provider's names, without those that it does not take.
  func renamed(_ parameters: [(String, String)], except isOwn: (String) -> Bool = { _ in false }) -> [(String, String)] {
    parameters.compactMap { parameter in isOwn(parameter.0) ? parameter : name(of: parameter.0).map { ($0, parameter.1) } }
  }

  /// The caller's extra parameters without a resource that the provider refuses (RFC 8707, 2).
  func sendable(_ parameters: [(name: String, value: String)]) -> [(name: String, value: String)] {
    resourceIndicator == .on ? parameters : parameters.filter { $0.name != "resource" }
  }
}
