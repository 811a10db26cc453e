import Jansson

/// A request that revokes a token (RFC 7009), or the provider's equivalent.
package struct RevocationRequest: Sendable {
  /// The result of a revocation.
  package enum Outcome: Sendable, Equatable {
    case revoked
    /// The provider has no revocation, or none for this client, so nothing was sent.
    case unsupported
    /// The provider answered and may still accept the token.
    case refused
    /// The provider may revoke the token later.
    case failed(OAuthFailure)
  }

  package var token: Secret
  package var hint: String

  package init(token: Secret, hint: String) { (self.token, self.hint) = (token, hint) }

  /// Returns the HTTP request; nil if the provider cannot revoke this token or has no way for this client.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    let options = provider.revocation
    guard let described = options.revocationEndpoint.map({ provider.endpoint($0, for: client) }), options.includes(hint) else { return nil }
    let values = ["clientId": client.id, "accessToken": token.value]
    let endpoint = Template(described).filled { values[$0].map(PercentEncoding.encode) }
    let parameter = options.revocationTokenParameter ?? "token"
    // If the endpoint's URL contains the token, the query does not repeat it.
    let query = Template(described).names.contains("accessToken") ? [] : [(parameter, token.value)]
    switch options.revocationStyle ?? .rfc7009 {
    case .none, .signed: return nil
    case .rfc7009:
      let more = options.revocationParameters.pairs.map { (name: $0.name, value: Template($0.value).filled { values[$0] }) }
      let fields = RequestFields.replacing([(parameter, token.value), ("token_type_hint", hint)], by: more)
      return .form(endpoint, fields, provider, client)
    case .query: return Self.url(endpoint, query).map { .form($0, [], provider, client) }
    case .get: return Self.url(endpoint, query).map { Self.plain("GET", $0, provider, client) }
    case .bearer: return Self.plain("POST", endpoint, provider, client, [HTTPHeader("Authorization", "Bearer \(token.value)")])
    case .delete: return Self.plain("DELETE", endpoint, provider, client, [HTTPHeader("Authorization", "Bearer \(token.value)")])
    case .json: return json("POST", endpoint, parameter, provider, client)
    case .deleteWithBasic: return json("DELETE", endpoint, options.revocationTokenParameter ?? "access_token", provider, client)
    }
  }

  /// Returns a request with the token as JSON and Basic credentials; nil for a client without a secret.
  private func json(_ method: String, _ endpoint: String, _ member: String, _ provider: Provider, _ client: Client) -> HTTPRequest? {
    guard client.secret != nil else { return nil }
    var request = Self.plain(method, endpoint, provider, client, [HTTPHeader("Content-Type", "application/json"), client.basicHeader()])
    request.body = .bytes(JSON.object([.init(member, .string(token.value))]).text)
    return request
  }

  private static func url(_ endpoint: String, _ query: [(String, String)]) -> String? {
    query.isEmpty ? endpoint : (try? URLParts(endpoint))?.appendingQuery(query).description
  }

  private static func plain(
    _ method: String, _ url: String, _ provider: Provider, _ client: Client, _ headers: [HTTPHeader] = []
  ) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: url, headers: headers + [HTTPHeader("Accept", "application/json")])
    request.clientCertificate = client.certificate
    request.settle(provider)
    return request
  }

  /// Errors that mean that the token has ended already, which is the goal.
  private static let ended: Set = [
    "invalid_token", "invalid_grant", "token_revoked", "token_expired", "expired_token", "invalid_refresh_token", "bad_refresh_token",
  ]

  /// Reads the response: a 2xx without an error is success (RFC 7009, 2.2). If the provider's description names a success member, that member decides
  /// in a 2xx. After 429 and 5xx, the token may be revoked later (2.2.1), but 501 is final.
  package static func outcome(
    _ response: HTTPResponse, _ options: TokenResponseOptions = .init(), hiding hidden: Redaction = .none
  ) -> Outcome {
    guard let failure = AuthorizationServerResponse(response, options, hiding: hidden).failure else { return .revoked }
    let code = failure["error"]?.string ?? ""
    if options.tokenErrors?.refused.contains(code) == true { return .revoked }
    if response.status == 429 || response.status >= 500, response.status != 501 { return .failed(failure) }
    return ended.contains(code) || response.saysInvalidToken ? .revoked : .refused
  }
}
