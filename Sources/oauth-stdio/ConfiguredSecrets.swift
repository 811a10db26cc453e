import Jansson
import OAuth

/// Whether the secrets that are configured for an account may go to the provider that a request names.
struct ConfiguredSecrets {
  let configured: ConfiguredAccount
  let account: String
  let service: Service

  /// Adds them where they may. To another provider than the configured one they do not go, and the request goes on without; where none is
  /// configured, there is nothing to compare with but presets and what is kept, and the user is told what the configuration lacks.
  func add(to request: inout AuthorizeRequest) async throws {
    do {
      guard try await mayGo(with: request) else { return }
    } catch let failure as OAuthFailure where configured.provider != nil {
      // A provider that the caller names has been looked at before, so the fault is in the configured one.
      throw service.configuration.placing(failure, inProviderOf: account)
    }
    try await service.configuration.addSecrets(of: configured, account: account, to: &request)
  }

  private func mayGo(with request: AuthorizeRequest) async throws -> Bool {
    guard let named = request.provider else { return true }
    if let own = configured.provider {
      do {
        try await service.discover(own, variables, for: request)
      } catch is OAuthFailure {
        // It is another one than the request's, which has been looked at before; as long as nobody knows where it is, nothing is for it.
        return false
      }
      return try resolve(named, request).sendsSecretsNowhereElse(than: try service.presets.resolve(own, variables: variables))
    }
    let isWanted = (request.clientSecret == nil && configured.clientSecret != nil) || configured.privateKey != nil
    guard isWanted, request.clientId == configured.clientId else { return false }
    let provider = try resolve(named, request)
    if let preset = provider.preset, try isSame(provider, asPreset: preset) { return true }
    if let grant = try service.accounts.stored(account), provider.sendsSecretsNowhereElse(than: try grant.resolvedProvider) { return true }
    throw service.configuration.invalid(
      Fields.pointer(to: "provider", in: Fields.pointer(to: account, in: "/accounts")),
      "is missing: the account's secret goes to no provider that a request describes, so the one that it is for has to stand here as well")
  }

  private var variables: NamedValues<String> { configured.variables ?? .init() }

  private func resolve(_ reference: ProviderReference, _ request: AuthorizeRequest) throws -> Provider {
    try service.presets.resolve(reference, variables: request.variables)
  }

  /// Whether the preset alone, with no variables but the configuration's, has the same places.
  private func isSame(_ provider: Provider, asPreset name: String) throws -> Bool {
    do throws(OAuthFailure) {
      return provider.sendsSecretsNowhereElse(than: try service.presets.resolve(.preset(name), variables: variables))
    } catch {
      // It needs values that the request alone gives, so it is the request that says where it is.
      guard error.kind == .configurationInvalid else { throw error }
      return false
    }
  }
}
