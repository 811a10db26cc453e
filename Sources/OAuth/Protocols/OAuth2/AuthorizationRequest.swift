import Jansson

/// What the user's browser is sent to the provider with (RFC 6749, 4.1.1).
package struct AuthorizationRequest: Sendable {
  package var endpoint: String
  package var clientId: String
  package var redirectUri: String
  package var scopes: [String]
  package var scopeSeparator: String
  package var state: Secret
  package var nonce: String?
  package var pkce: PKCE?
  package var parameters: [(name: String, value: String)]

  /// The URL to open; nil when the endpoint is no URL. Extra parameters come last and never replace ours, which protect the user.
  package var url: String? {
    guard let endpoint = try? URLParts(endpoint) else { return nil }
    var query = [("response_type", "code"), ("client_id", clientId), ("redirect_uri", redirectUri)]
    if !scopes.isEmpty { query.append(("scope", scopes.joined(separator: scopeSeparator))) }
    query.append(("state", state.value))
    if let nonce { query.append(("nonce", nonce)) }
    if let pkce { query += [("code_challenge", pkce.challenge), ("code_challenge_method", "S256")] }
    query += parameters.filter { extra in !query.contains { $0.0 == extra.name } }.map { ($0.name, $0.value) }
    return endpoint.appendingQuery(query).description
  }
}
