/// The exchanges with OpenID 2.0's providers: looking an identifier up, agreeing on a key, and asking about an answer.
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

  /// A key agreed on with the endpoint that outlives a sign-in of so many seconds, if the provider makes such; nil where it is asked about each answer.
  func association(_ endpoint: Endpoint, _ manner: OpenIDManner, for seconds: Int) async throws(OAuthFailure) -> OpenIDAssociation? {
    // Without a handle in the request, no key of ours would be used.
    guard manner.openidDialect == .standard, let (kind, session) = manner.association else { return nil }
    let wanted = manner.openidAssociation == .auto ? nil : kind
    if let known = surroundings.openid.association(of: endpoint.url, kind: wanted, until: surroundings.clock() + seconds) { return known }
    let random = surroundings.random(DiffieHellman.exponentBytes)
    var request = try AssociationRequest(endpoint: endpoint.url, kind: kind, session: session, random: random)
    for _ in 0..<2 {
      switch try request.answer(try await send(request.httpRequest, to: endpoint), now: surroundings.clock()) {
      case .association(let association):
        surroundings.openid.keep(association, of: endpoint.url)
        return association
      case .refused: return nil
      case .unsupported(let kind, let session):
        // What was pinned is not given up.
        guard manner.openidAssociation == .auto, manner.openidSession == .auto,
          let other = request.negotiated(kind, session, random: surroundings.random(DiffieHellman.exponentBytes))
        else { return nil }
        request = other
      }
    }
    return nil
  }

  /// Believes the assertion's signature, by the key that its sign-in began with, and takes its nonce; or throws.
  func check(_ assertion: OpenIDAssertion, of endpoint: Endpoint, by association: OpenIDAssociation?) async throws(OAuthFailure) {
    let now = surroundings.clock()
    let isSigned: Bool
    if let association, association.handle == assertion.associationHandle, association.expiresAt > now {
      isSigned = try assertion.isSigned(by: association)
    } else {
      // The provider has forgotten our key, or never had one: it answers with a key of its own and is asked whether it did (11.4.2).
      let verification = try OpenIDAssertion.verification(try await send(assertion.verificationRequest, to: endpoint))
      isSigned = verification.isValid
      if isSigned, let handle = verification.forgottenHandle { surroundings.openid.forget(handle, of: endpoint.url) }
    }
    guard isSigned else { throw .untrusted("the answer's signature is not the provider's") }
    guard assertion.nonce.map({ surroundings.openid.isFirst($0, of: endpoint.url, at: now) }) != false else {
      throw .untrusted("the answer's nonce has come before")
    }
  }

  /// Where a provider is asked, and how far inside a request to it may lead.
  struct Endpoint: Sendable {
    var url: String
    var limit: NetworkScope
  }

  /// The scope of the address that answers there. Every answer follows a request to the endpoint, so its scope is known. Behind a proxy the endpoint
  /// counts as public.
  func scope(of endpoint: Endpoint) -> NetworkScope {
    let known = surroundings.openid.scope(of: endpoint.url) ?? .publicNetwork
    return max((try? URLParts(endpoint.url)).map(NetworkScope.init) ?? .publicNetwork, known)
  }

  private func send(_ request: HTTPRequest, to endpoint: Endpoint) async throws(OAuthFailure) -> HTTPResponse {
    var request = request
    request.scopeLimit = endpoint.limit
    let response = try await send(request)
    if let scope = response.scope { surroundings.openid.keep(scope, of: endpoint.url) }
    return response
  }

  private func send(_ request: HTTPRequest) async throws(OAuthFailure) -> HTTPResponse {
    do throws(HTTPFailure) {
      return try await surroundings.http.send(request)
    } catch {
      throw OAuthFailure(error)
    }
  }
}
