import Jansson

/// A client that registers itself where the caller names none (RFC 7591).
extension AuthorizeSetup {
  /// Whether somebody without a client can have one here. Where a preset knows the endpoint, a client that is missing was forgotten.
  static func canRegister(with provider: Provider) -> Bool {
    provider.protocolName == .oauth2 && provider.registrationEndpoint != nil && provider.preset == nil
  }

  /// The same with a client, registered for the very redirect URI that its codes come to: servers compare it, port and all, and have been known to forget
  /// clients. So each page has a client of its own, which then stays with the grant.
  func registered(redirectUri: String?, http: any HTTPClient) async throws -> AuthorizeSetup {
    guard registersClient else { return self }
    let provider = try provider.filled(with: .init(), client: client)
    guard let request = RegistrationRequest(redirectUri: redirectUri, scopes: scopes).httpRequest(provider) else { return self }
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await http.send(request)
    } catch {
      try Task.checkCancellation()
      throw OAuthFailure(error)
    }
    let answer = try RegistrationResponse(response, provider)
    var setup = self
    setup.client = answer.client
    if let way = answer.clientAuthentication {
      setup.provider.token.clientAuthentication = way
      setup.provider.source = .object(
        Presets.merge([.init("clientAuthentication", .string(way.rawValue))], over: provider.source.members ?? []))
    }
    return setup
  }
}
