import OAuthCore

/// Dynamic client registration if the caller names no client (RFC 7591).
extension AuthorizationPlan {
  /// Whether a client can be registered with the provider. With a preset, a missing client is a mistake of the caller.
  static func canRegister(with provider: Provider) -> Bool {
    provider.protocolName == .oauth2 && provider.registrationEndpoint != nil && provider.preset == nil
  }

  /// The grant whose registered client can be used again: its secret is available and it has requested these scopes before.
  private var reusable: Grant? {
    guard registersClient, let grant = registered, grant.client == client, !grant.isClientForgotten else { return nil }
    return grant.missing(of: scopes).allSatisfy(grant.declinedScopes.contains) ? grant : nil
  }

  /// Whether the registered client of the account's grant can be used with this redirect URI.
  /// Servers compare it, including the port, with the registered one.
  func reusesClient(for redirectUri: String?) -> Bool { reusable.map { $0.redirectUri == redirectUri } ?? false }

  /// Returns the address with the port of the registered client first.
  func preferringRegisteredPort(_ address: LoopbackAddress) -> LoopbackAddress {
    guard address.ports == [0], let url = reusable?.redirectUri.flatMap({ try? URLParts($0) }), url.scheme == "http",
      url.host == address.host.rawValue, url.path == address.path, let port = url.explicitPort.flatMap({ UInt16(exactly: $0) })
    else { return address }
    var address = address
    address.ports = [port, 0]
    return address
  }

  /// Returns the setup with the account's registered client, or with a new client for this redirect URI, which the grant then stores.
  func registered(redirectUri: String?, http: any HTTPClient) async throws -> AuthorizationPlan {
    guard registersClient else { return self }
    if reusesClient(for: redirectUri) {
      let way = registered?.provider["clientAuthentication"]?.string.flatMap(TokenOptions.ClientAuthentication.init)
      return way.map(authenticating) ?? self
    }
    let provider = try filledProvider
    guard let request = RegistrationRequest(redirectUri: redirectUri, scopes: scopes).httpRequest(provider) else { return self }
    let answer = try RegistrationRequest.Response(try await http.exchange(request, to: provider), provider)
    var plan = self
    plan.client = answer.client
    plan.clientSecretExpiresAt = answer.secretExpiresAt
    return plan.authenticating(answer.clientAuthentication)
  }

  private func authenticating(_ way: TokenOptions.ClientAuthentication) -> AuthorizationPlan {
    var plan = self
    plan.provider.token.clientAuthentication = way
    plan.provider.source = .object(
      ProviderCatalog.merge([.init("clientAuthentication", .string(way.rawValue))], over: provider.source.members ?? []))
    return plan
  }
}
