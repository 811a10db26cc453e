import OAuthCore

/// The exchanges with OpenID 2.0 providers: discovering an identifier and verifying a response.
///
/// No association is established (OpenID Authentication 2.0, 8): verifying each response costs one request and saves a key exchange.
struct OpenIDProvider: Sendable {
  let dependencies: Dependencies

  /// Returns the identifier's services, at least one, in the order in which to try them, and the scope of the server that names them.
  package func discover(
    _ identifier: OpenIDIdentifier, within limit: NetworkScope = .thisMachine
  ) async throws -> (services: [OpenIDService], scope: NetworkScope) {
    var discovery = OpenIDDiscovery(identifier, within: limit)
    while true {
      switch try discovery.read(try await dependencies.http.exchange(discovery.request)) {
      case .next: continue
      case .found(let services): return (services, discovery.scope)
      }
    }
  }

  /// Asks the provider whether the assertion is its own, and records its nonce. Throws otherwise.
  ///
  /// Returns the scope of the address that answered. Behind a proxy the endpoint counts as public.
  func check(_ assertion: OpenIDAssertion, of endpoint: Endpoint) async throws -> NetworkScope {
    let now = dependencies.clock.now
    var request = assertion.verificationRequest
    request.scopeLimit = endpoint.limit
    let response = try await dependencies.http.exchange(request)
    try assertion.check(response)
    guard assertion.nonce.map({ dependencies.openid.isFirst($0, of: endpoint.url, at: now) }) != false else {
      throw OAuthFailure.untrusted("the answer's nonce has come before")
    }
    return max((try? URLParts(endpoint.url)).map(NetworkScope.init) ?? .publicNetwork, response.scope ?? .publicNetwork)
  }

  /// A provider's endpoint, and how far inside a request to it may lead.
  struct Endpoint: Sendable {
    package var url: String
    package var limit: NetworkScope
  }
}
