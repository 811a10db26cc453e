import Jansson
import OAuth

/// Whether the secrets that are configured for an account may go to the provider that a request names.
///
/// The origins decide that the configuration or the request names, or that the provider named there published to this process. A grant is no proof: a
/// client on the pipe can import one.
struct ConfiguredSecrets {
  let configured: ConfiguredAccount
  let account: String
  let service: Service

  /// Adds them where they may go. Elsewhere the request goes on without; where nothing names the provider, the user is told what the configuration lacks.
  func add(to request: inout AuthorizeRequest) async throws {
    guard isWanted(for: request) else { return }
    var asked = request
    try await service.configuration.addSecrets(of: configured, account: account, to: &asked)
    do {
      if try await mayGo(with: asked) { request = asked }
    } catch let failure as OAuthFailure where configured.provider != nil {
      // A provider that the caller names has been looked at before, so the fault is in the configured one.
      throw service.configuration.placing(failure, inProviderOf: account)
    }
  }

  private func isWanted(for request: AuthorizeRequest) -> Bool {
    request.clientId == configured.clientId
      && ((request.clientSecret == nil && configured.clientSecret != nil) || configured.privateKey != nil)
  }

  private func mayGo(with request: AuthorizeRequest) async throws -> Bool {
    guard let named = request.provider else {
      guard try hasGrant(with: request) else { throw missing }
      return false
    }
    let proof = configured.provider ?? named.presetName.map(ProviderReference.preset)
    let provider = try service.accounts.resolve(named, request.variables, for: account)
    if let proof, try goes(to: provider, where: proof) { return true }
    // The network isn't needed to decide.
    if try hasGrant(with: request, for: provider) { return false }
    guard let proof else { throw missing }
    do {
      try await service.accounts.fetch(proof, variables, in: request.timeout)
    } catch let failure as OAuthFailure where failure.kind != .configurationInvalid {
      return false
    }
    if try goes(to: provider, where: proof) { return true }
    if configured.provider == nil { throw missing }
    return false
  }

  /// Whether `provider` sends secrets only where `proof` does, with no variables but the configuration's.
  private func goes(to provider: Provider, where proof: ProviderReference) throws -> Bool {
    do throws(OAuthFailure) {
      return provider.sendsSecrets(onlyTo: try service.presets.origins(namedBy: proof, variables))
    } catch {
      // A preset that needs values of the request alone: then it is the request that says where it is.
      guard configured.provider == nil, error.kind == .configurationInvalid else { throw error }
      throw missing
    }
  }

  /// Whether the account's grant has these secrets already: it goes on with its own.
  private func hasGrant(with request: AuthorizeRequest, for provider: Provider? = nil) throws -> Bool {
    guard let grant = try service.accounts.stored(account), grant.client.id == request.clientId ?? grant.client.id else { return false }
    if let secret = request.clientSecret, grant.client.secret != secret { return false }
    if let key = request.privateKey, grant.provider["privateKey"]?.string != key.value { return false }
    return try provider?.sendsSecretsNowhereElse(than: grant.resolvedProvider) ?? true
  }

  private var variables: NamedValues<String> { configured.variables ?? .init() }

  private var missing: OAuthFailure {
    service.configuration.invalid(
      Fields.pointer(to: "provider", in: Fields.pointer(to: account, in: "/accounts")),
      "is missing: the account's secret goes to no provider that a request describes or a grant names, so the one that it is for has to stand here as well"
    )
  }
}
