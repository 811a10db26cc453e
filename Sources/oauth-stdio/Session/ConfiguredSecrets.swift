import Jansson
import OAuth
import OAuthCore

/// Decides whether an account's configured secrets may be sent to the provider that a request names.
///
/// The decision uses the origins that the configuration or the request names, or that the named provider published to this process. A grant is no
/// proof, because a client on the pipe can import one.
struct ConfiguredSecrets {
  let configured: ConfiguredAccount
  let account: String
  let service: Service

  /// Adds the secrets if the provider may receive them. Otherwise the request continues without them. If nothing names the provider, throws an error
  /// that says what the configuration lacks.
  func add(to request: inout AuthorizationInput) async throws {
    guard isWanted(for: request) else { return }
    var asked = request
    try await service.configuration.addSecrets(of: configured, account: account, to: &asked)
    do {
      if try await mayGo(with: asked) { request = asked }
    } catch let failure as OAuthFailure where configured.provider != nil {
      // The caller's provider has been checked before, so the fault is in the configured one.
      throw service.configuration.placing(failure, inProviderOf: account)
    }
  }

  private func isWanted(for request: AuthorizationInput) -> Bool {
    request.clientId == configured.clientId
      && ((request.clientSecret == nil && configured.clientSecret != nil) || configured.privateKey != nil)
  }

  private func mayGo(with request: AuthorizationInput) async throws -> Bool {
    guard let named = request.provider else {
      guard try hasGrant(with: request) else { throw missing }
      return false
    }
    let proof = configured.provider ?? named.presetName.map(ProviderReference.preset)
    let provider = try service.accounts.resolve(named, request.variables, for: account)
    if let proof, try goes(to: provider, where: proof) { return true }
    // This check needs no network.
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

  /// Whether `provider` sends secrets only to the origins of `proof`, using only the configured variables.
  private func goes(to provider: Provider, where proof: ProviderReference) throws -> Bool {
    do throws(OAuthFailure) {
      return provider.sendsSecrets(onlyTo: try service.catalog.origins(namedBy: proof, variables))
    } catch {
      // The preset needs values that only the request has, so the request would decide the origin.
      guard configured.provider == nil, error.kind == .configurationInvalid else { throw error }
      throw missing
    }
  }

  /// Whether the account's stored grant already has these secrets. The request then uses the grant's own.
  private func hasGrant(with request: AuthorizationInput, for provider: Provider? = nil) throws -> Bool {
    guard let grant = try service.accounts.stored(account), grant.client.id == request.clientId ?? grant.client.id else { return false }
    if let secret = request.clientSecret, grant.client.secret != secret { return false }
    if let key = request.privateKey, grant.provider["privateKey"]?.string != key.value { return false }
    return try provider?.sendsSecretsNowhereElse(than: grant.resolvedProvider) ?? true
  }

  private var variables: NamedValues<String> { configured.variables ?? .init() }

  private var missing: OAuthFailure {
    service.configuration.invalid(
      ObjectReader.pointer(to: "provider", in: ObjectReader.pointer(to: account, in: "/accounts")),
      "is missing: the account's secret goes to no provider that a request describes or a grant names, so the one that it is for has to stand here as well"
    )
  }
}
