import OAuthCore
import Signatures
import Store

/// The configured credentials.
extension Planner {
  /// Returns the client with the request's and the configured credentials; with those of its own grant if there are none.
  func client(_ id: String, _ configured: ClientCredentials, _ own: Grant?, _ provider: Provider) throws -> Client {
    var (brought, configured) = (input.credentials, configured)
    // OAuth 1.0a has its key in the provider's description.
    if provider.protocolName != .oauth2 { (brought.key, configured.key) = (nil, nil) }
    let new = brought.completed(by: configured)
    var client = try own?.client(id, for: provider) ?? Client(id: id)
    if new.secret != nil || new.key != nil { (client.stored.secret, client.stored.key) = (nil, nil) }
    (client.stored, client.configured) = (brought.completed(by: client.stored), configured)
    do throws(OAuthFailure) {
      // A command is not asked yet.
      if case .text(let text)? = new.key?.material, new.key?.secretAlgorithm == nil {
        _ = try SigningKey(text, algorithm: new.key?.algorithm)
      }
    } catch {
      throw client.configured.key == nil ? error : self.configured.map(error.blaming) ?? error
    }
    return client
  }

  /// Returns the configured credentials to use at the provider. If they may not go there, the request continues without them.
  /// Throws an error that says what the configuration lacks if it names no provider for them.
  func configuredCredentials(for provider: Provider, presetName: String?) throws -> ClientCredentials {
    guard let configured = applicableConfiguration, !configured.credentials.isEmpty else { return ClientCredentials() }
    do {
      return try maySendSecrets(configured, to: provider, presetName) ? configured.credentials : ClientCredentials()
    } catch let failure as OAuthFailure where configured.provider != nil {
      throw failure.blaming(configuration: configured)
    }
  }

  private func maySendSecrets(_ configured: ConfiguredAccount, to provider: Provider, _ presetName: String?) throws -> Bool {
    let proof = configured.provider ?? presetName.map(ProviderReference.preset)
    if let proof, try sendsSecretsOnly(provider, to: proof) { return true }
    // This check needs no network.
    if try grantHas(configured.credentials, at: provider) { return false }
    guard let proof else { throw configured.missingProvider }
    if let missing = missing(try catalog.written(proof, configuredVariables), for: .secret) {
      if unreachable.contains(missing.name) { return false }
      throw missing
    }
    if configured.provider == nil { throw configured.missingProvider }
    return false
  }

  /// Whether the provider sends secrets only to the origins of `proof`, using only the configured variables.
  func sendsSecretsOnly(_ provider: Provider, to proof: ProviderReference) throws -> Bool {
    do throws(OAuthFailure) {
      return provider.sendsSecrets(onlyTo: try catalog.origins(namedBy: proof, configuredVariables))
    } catch {
      // The preset needs values that only the request has, so the request would decide the origin.
      guard let configured, configured.provider == nil, error.kind == .configurationInvalid else { throw error }
      throw configured.missingProvider
    }
  }

  /// Whether the account's grant already has the configured credentials, and those of the request, for `provider` or for its own. The request then
  /// uses the grant's own.
  func grantHas(_ configured: ClientCredentials, at provider: Provider?) throws -> Bool {
    guard let stored, stored.client.id == input.clientId ?? applicableConfiguration?.clientId ?? stored.client.id else { return false }
    var wanted = input.credentials.completed(by: configured)
    if case .text(let text)? = wanted.key?.material, stored.provider["privateKey"]?.string == text.value { wanted.key = nil }
    let own = stored.client.credentials
    return try wanted.completed(by: own) == own && provider?.sendsSecretsNowhereElse(than: stored.resolvedProvider) ?? true
  }
}
