import Jansson

/// An authorization request that the client sends straight to the provider before the user's browser opens (RFC 9126, 2). The browser's URL then
/// contains no parameters that could be read or changed.
package struct PushedAuthorizationRequest: Sendable {
  package var request: AuthorizationRequest

  package init(request: AuthorizationRequest) {
    self.request = request
  }

  /// Returns the HTTP request; nil if the provider has no such endpoint.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    guard let endpoint = provider.pushedAuthorizationRequestEndpoint else { return nil }
    // The client authenticates as at the token endpoint, and those credentials may already contain the client id (RFC 9126, 2.1).
    let name = provider.request.renamed([("client_id", client.id)]).first?.0
    let isNamed = client.secret == nil || provider.token.clientAuthentication == .body
    return .form(endpoint, request.fields.filter { !isNamed || $0.0 != name }, provider, client)
  }

  /// The `request_uri`, and the seconds until it expires if the provider sends them (RFC 9126, 2.2).
  package struct Response: Sendable, Equatable {
    package var requestUri: String
    package var lifetime: Int?
  }

  package static func answer(_ response: HTTPResponse, _ provider: Provider, _ client: Client) throws(OAuthFailure) -> Response {
    let answer = TokenAnswer(response, hiding: Redaction([], client: client, provider: provider))
    if let failure = answer.failure {
      // RFC 9449, 8: the provider rejects every request without a proof.
      guard ["use_dpop_nonce", "invalid_dpop_proof"].contains(failure["error"]) else { throw failure }
      throw .unsupported("the provider \(MetadataDocument.demandsDPoP)")
    }
    guard let uri = answer["request_uri"]?.string, !uri.isEmpty, uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .untrusted("the answer to the pushed authorization request has no request_uri")
    }
    return Response(requestUri: uri, lifetime: answer["expires_in"].flatMap(TokenExpiry.number).flatMap(Self.seconds))
  }

  /// Returns nil for an invalid lifetime. Caps it at a day, since a longer one makes no difference.
  private static func seconds(_ number: Double) -> Int? { number > 0 ? Int(min(number, 86_400)) : nil }
}
