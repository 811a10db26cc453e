import Jansson

/// An authorization request that the provider is told of before anybody opens a page, so that nobody can read or change it on the way (RFC 9126, 2).
package struct PushedAuthorizationRequest: Sendable {
  package var request: AuthorizationRequest

  /// The request as it is sent; nil where the provider has no such endpoint.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    guard let endpoint = provider.pushedAuthorizationRequestEndpoint else { return nil }
    // The client shows who it is as at the token endpoint, which may say its name as well (RFC 9126, 2.1).
    let name = provider.request.renamed([("client_id", client.id)]).first?.0
    let isNamed = client.secret == nil || provider.token.clientAuthentication == .body
    return .form(endpoint, request.fields.filter { !isNamed || $0.0 != name }, provider, client)
  }

  /// What the provider knows the request by, and the seconds until it forgets the request, where it says so (RFC 9126, 2.2).
  package struct Answer: Sendable, Equatable {
    package var requestUri: String
    package var lifetime: Int?
  }

  package static func answer(_ response: HTTPResponse, _ provider: Provider, _ client: Client) throws(OAuthFailure) -> Answer {
    let answer = TokenAnswer(response, hiding: Redaction([], client: client, provider: provider))
    if let failure = answer.failure {
      // RFC 9449, 8: no request without a proof is ever accepted.
      guard ["use_dpop_nonce", "invalid_dpop_proof"].contains(failure["error"]) else { throw failure }
      throw .unsupported("the provider \(ServerMetadata.demandsDPoP)")
    }
    guard let uri = answer["request_uri"]?.string, !uri.isEmpty, uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .untrusted("the answer to the pushed authorization request has no request_uri")
    }
    return Answer(requestUri: uri, lifetime: answer["expires_in"].flatMap(TokenExpiry.number).flatMap(Self.seconds))
  }

  /// nil for what no lifetime is; one longer than a day never matters.
  private static func seconds(_ number: Double) -> Int? { number > 0 ? Int(min(number, 86_400)) : nil }
}
