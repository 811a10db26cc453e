import OAuthCore

/// Finds the client authentication method of a provider that does not name it: HTTP Basic, and after `invalid_client` the body.
struct ClientAuthenticationProbe: Sendable {
  /// Whether the server has rejected Basic. It gets no further request with it.
  private var hasRefusedBasic = false

  /// Returns the result of `send`, which gets the provider with the method to use.
  mutating func send<Value>(
    _ provider: Provider, _ client: Client, _ send: (Provider) async throws -> Value
  ) async throws -> Value {
    guard provider.token.clientAuthentication == .probe, client.secret != nil else { return try await send(provider) }
    var provider = provider
    if !hasRefusedBasic {
      provider.token.clientAuthentication = .basic
      do {
        return try await send(provider)
      } catch let failure as OAuthFailure where failure["error"] == "invalid_client" {
        hasRefusedBasic = true
      }
    }
    provider.token.clientAuthentication = .body
    return try await send(provider)
  }
}
