import Jansson

/// A client that registers itself where the caller names none (RFC 7591).
extension AuthorizeSetup {
  /// Whether somebody without a client can have one here. Where a preset knows the endpoint, a client that is missing was forgotten.
  static func canRegister(with provider: Provider) -> Bool {
    provider.protocolName == .oauth2 && provider.registrationEndpoint != nil && provider.preset == nil
  }

  /// The grant whose registered client can be used again: its secret is at hand, and it asked for these scopes before.
  private var reusable: Grant? {
    guard registersClient, let grant = registered, grant.client == client, !grant.isClientForgotten else { return nil }
    return grant.missing(of: scopes).allSatisfy(grant.declinedScopes.contains) ? grant : nil
  }

  /// Whether the client of the account's grant serves this redirect URI: servers compare it, port and all, with what was registered.
  func reusesClient(for redirectUri: String?) -> Bool { reusable.map { $0.redirectUri == redirectUri } ?? false }

  /// The address with the port first that the account's client was registered with.
  func preferringRegisteredPort(_ address: LoopbackAddress) -> LoopbackAddress {
    guard address.ports == [0], let url = reusable?.redirectUri.flatMap({ try? URLParts($0) }), url.scheme == "http",
      url.host == address.host.rawValue, url.path == address.path, let port = url.explicitPort.flatMap({ UInt16(exactly: $0) })
    else { return address }
    var address = address
    address.ports = [port, 0]
    return address
  }

  /// The same with the account's registered client, or with a new one for this very redirect URI, which then stays with the grant.
  func registered(redirectUri: String?, http: any HTTPClient) async throws -> AuthorizeSetup {
    guard registersClient else { return self }
    if reusesClient(for: redirectUri) {
      let way = registered?.provider["clientAuthentication"]?.string.flatMap(TokenManner.ClientAuthentication.init)
      return way.map(authenticating) ?? self
    }
    let provider = try provider.filled(with: .init(), client: client)
    guard let request = RegistrationRequest(redirectUri: redirectUri, scopes: scopes).httpRequest(provider) else { return self }
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await http.send(request, to: provider)
    } catch {
      try Task.checkCancellation()
      throw OAuthFailure(error)
    }
    let answer = try RegistrationResponse(response, provider)
    var setup = self
    setup.client = answer.client
    setup.clientSecretExpiresAt = answer.secretExpiresAt
    return setup.authenticating(answer.clientAuthentication)
  }

  private func authenticating(_ way: TokenManner.ClientAuthentication) -> AuthorizeSetup {
    var setup = self
    setup.provider.token.clientAuthentication = way
    setup.provider.source = .object(
      Presets.merge([.init("clientAuthentication", .string(way.rawValue))], over: provider.source.members ?? []))
    return setup
  }
}
