/// The exchanges with OpenID 2.0's providers: looking an identifier up, and asking about an answer.
///
/// No key is agreed on (OpenID Authentication 2.0, 8): asking about each answer costs one request, and spares a key exchange.
struct OpenIDProvider: Sendable {
  let surroundings: Surroundings

  /// The identifier's services, which are never none, in the order in which they are to be tried; and the scope of the server that names them.
  func discover(
    _ identifier: OpenIDIdentifier, within limit: NetworkScope = .thisMachine
  ) async throws(OAuthFailure) -> (services: [OpenIDService], scope: NetworkScope) {
    var discovery = OpenIDDiscovery(identifier, within: limit)
    while true {
      switch try discovery.read(try await send(discovery.request)) {
      case .next: continue
      case .found(let services): return (services, discovery.scope)
      }
    }
  }

  /// Asks the provider whether the assertion is its own and takes its nonce, or throws.
  ///
  /// The answer is the scope of the address that answered. Behind a proxy the endpoint counts as public.
  func check(_ assertion: OpenIDAssertion, of endpoint: Endpoint) async throws(OAuthFailure) -> NetworkScope {
    let now = surroundings.clock()
    var request = assertion.verificationRequest
    request.scopeLimit = endpoint.limit
    let response = try await send(request)
    try assertion.check(response)
    guard assertion.nonce.map({ surroundings.openid.isFirst($0, of: endpoint.url, at: now) }) != false else {
      throw .untrusted("the answer's nonce has come before")
    }
    return max((try? URLParts(endpoint.url)).map(NetworkScope.init) ?? .publicNetwork, response.scope ?? .publicNetwork)
  }

  /// Where a provider is asked, and how far inside a request to it may lead.
  struct Endpoint: Sendable {
    var url: String
    var limit: NetworkScope
  }

  private func send(_ request: HTTPRequest) async throws(OAuthFailure) -> HTTPResponse {
    do throws(HTTPFailure) {
      return try await surroundings.http.send(request)
    } catch {
      throw OAuthFailure(error)
    }
  }
}
