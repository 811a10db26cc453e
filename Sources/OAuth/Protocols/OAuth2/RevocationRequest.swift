import Jansson

/// What takes a token back (RFC 7009), or the provider's own way to.
package struct RevocationRequest: Sendable {
  /// What the provider made of it.
  package enum Outcome: Sendable, Equatable {
    case revoked
    /// It has no way, or not for this client.
    case unsupported
    case failed(OAuthFailure)
  }

  package var token: Secret
  package var hint: String

  package init(token: Secret, hint: String) {
    self.token = token
    self.hint = hint
  }

  /// The request as it is sent; nil where the provider has no way for this token or this client.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    let manner = provider.revocation
    guard let described = manner.revocationEndpoint, manner.tells(hint) else { return nil }
    let values = ["clientId": client.id, "accessToken": token.value]
    let endpoint = Template(described).filled { values[$0].map(PercentEncoding.encode) }
    let parameter = manner.revocationTokenParameter ?? "token"
    // Where the endpoint has the token, the query needs none.
    let query = Template(described).names.contains("accessToken") ? [] : [(parameter, token.value)]
    switch manner.revocationStyle ?? .rfc7009 {
    case .none, .signed: return nil
    case .rfc7009: return .form(endpoint, [(parameter, token.value), ("token_type_hint", hint)], provider, client)
    case .query: return Self.url(endpoint, query).map { .form($0, [], provider, client) }
    case .get: return Self.url(endpoint, query).map { Self.plain("GET", $0, provider) }
    case .bearer: return Self.plain("POST", endpoint, provider, [HTTPHeader("Authorization", "Bearer \(token.value)")])
    case .delete: return Self.plain("DELETE", endpoint, provider, [HTTPHeader("Authorization", "Bearer \(token.value)")])
    case .json: return json("POST", endpoint, parameter, provider, client)
    case .deleteWithBasic: return json("DELETE", endpoint, manner.revocationTokenParameter ?? "access_token", provider, client)
    }
  }

  /// The token as JSON, with the credentials of a client that has some.
  private func json(_ method: String, _ endpoint: String, _ member: String, _ provider: Provider, _ client: Client) -> HTTPRequest? {
    guard client.secret != nil else { return nil }
    var request = Self.plain(method, endpoint, provider, [HTTPHeader("Content-Type", "application/json"), client.basicHeader])
    request.body = .bytes(JSON.object([.init(member, .string(token.value))]).text)
    return request
  }

  private static func url(_ endpoint: String, _ query: [(String, String)]) -> String? {
    query.isEmpty ? endpoint : (try? URLParts(endpoint))?.appendingQuery(query).description
  }

  private static func plain(_ method: String, _ url: String, _ provider: Provider, _ headers: [HTTPHeader] = []) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: url, headers: headers + [HTTPHeader("Accept", "application/json")])
    request.settle(provider)
    return request
  }

  /// Reads the answer: any success is one (RFC 7009, 2.2); 401, 403, 404, 405 and `unsupported_token_type` mean that there is no way for this client.
  /// Where the provider's description has a place for success, what stands there decides in a 200 as well.
  static func outcome(_ response: HTTPResponse, _ manner: AnswerManner = .init(), hiding hidden: Redaction = .none) -> Outcome {
    switch response.status {
    case 200..<300 where manner.tokenErrors?.success == nil: return .revoked
    case 401, 403, 404, 405, 501: return .unsupported
    default:
      let failure = TokenAnswer(response, manner, hiding: hidden).failure
      guard let failure else { return .revoked }
      switch failure["error"]?.string {
      case "unsupported_token_type", "invalid_client", "unauthorized_client": return .unsupported
      // The token is dead already, which is what was asked for.
      case "invalid_token", "token_revoked", "token_expired": return .revoked
      case let code? where manner.tokenErrors?.refused.contains(code) == true: return .revoked
      default: return .failed(failure)
      }
    }
  }
}
