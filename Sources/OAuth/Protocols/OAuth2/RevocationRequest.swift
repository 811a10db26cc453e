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

  /// The request as it is sent; nil where the provider has no way.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    guard let endpoint = provider.revocationEndpoint else { return nil }
    switch provider.revocationStyle ?? .rfc7009 {
    case .none: return nil
    case .rfc7009: return .form(endpoint, [("token", token.value), ("token_type_hint", hint)], provider, client)
    case .deleteWithBasic:
      guard client.secret != nil, hint == "access_token" else { return nil }
      let url = endpoint.split(separator: "{clientId}", omittingEmptySubsequences: false)
        .joined(separator: PercentEncoding.encode(client.id))
      var request = HTTPRequest(
        method: "DELETE", url: url,
        headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"), client.basicHeader],
        body: .bytes(JSON.object([.init("access_token", .string(token.value))]).text))
      request.timeout = 30
      request.maxBytes = 1 << 20
      return request
    }
  }

  /// Reads the answer: any success is one (RFC 7009, 2.2); 401, 403, 404, 405 and `unsupported_token_type` mean that there is no way for this client.
  package static func outcome(_ response: HTTPResponse) -> Outcome { outcome(response, hiding: .none) }

  static func outcome(_ response: HTTPResponse, hiding hidden: Redaction) -> Outcome {
    switch response.status {
    case 200..<300: return .revoked
    case 401, 403, 404, 405, 501: return .unsupported
    default:
      let failure = TokenAnswer(response, hiding: hidden).failure
      switch failure?["error"] {
      case .string("unsupported_token_type")?, .string("invalid_client")?, .string("unauthorized_client")?: return .unsupported
      // The token is dead already, which is what was asked for.
      case .string("invalid_token")?: return .revoked
      default:
        return .failed(failure ?? OAuthFailure(.authorizationServerError, "the token could not be taken back"))
      }
    }
  }
}
