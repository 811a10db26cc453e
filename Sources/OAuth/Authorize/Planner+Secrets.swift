import OAuthCore
import Signatures
import Store

/// The configured secrets.
extension Planner {
  typealias Secrets = (clientSecret: Secret?, key: ClientKey?, certificate: ClientCertificate?)

  /// What the request brings itself.
  var brought: Secrets { (input.clientSecret, input.privateKey, input.clientCertificate) }

  /// Returns the client with the request's and the configured secrets; with those of its own grant if there are none.
  func client(_ id: String, _ secrets: Secrets, _ own: Grant?, _ provider: Provider) throws -> Client {
    // OAuth 1.0a has its key in the provider's description.
    let key = provider.protocolName == .oauth2 ? secrets.key : nil
    var client = try own?.client(id, for: provider) ?? Client(id: id)
    if secrets.clientSecret != nil || key != nil {
      client = Client(id: id, secret: input.clientSecret, key: input.privateKey, certificate: client.certificate)
    }
    if input.clientSecret == nil { client.configuredSecret = secrets.clientSecret }
    if input.privateKey == nil { client.configuredKey = key }
    client.storedCertificate = input.clientCertificate ?? client.storedCertificate
    if input.clientCertificate == nil { client.configuredCertificate = secrets.certificate }
    do throws(OAuthFailure) {
      // A command is not asked yet.
      if case .text(let text)? = key?.material { _ = try SigningKey(text, algorithm: key?.algorithm) }
    } catch {
      throw client.configuredKey == nil ? error : configured.map(error.blaming) ?? error
    }
    return client
  }

  /// The request's own secret and key, else the configured ones.
  func wanted(_ configured: ConfiguredAccount) -> Secrets {
    let (loaded, key) = (configured.loaded, input.privateKey ?? configured.key(for: input, stored))
    return (input.clientSecret ?? loaded.clientSecret, key, input.clientCertificate ?? loaded.certificate)
  }

  /// Returns the secrets to use at the provider. If the configured ones may not go there, the request continues without them.
  /// Throws an error that says what the configuration lacks if it names no provider for them.
  func secrets(for provider: Provider, presetName: String?) throws -> Secrets {
    guard let configured = applicableConfiguration, configured.wantsSecrets(by: input, stored) else { return brought }
    do {
      return try maySendSecrets(configured, to: provider, presetName) ? wanted(configured) : brought
    } catch let failure as OAuthFailure where configured.provider != nil {
      throw failure.blaming(configuration: configured)
    }
  }

  private func maySendSecrets(_ configured: ConfiguredAccount, to provider: Provider, _ presetName: String?) throws -> Bool {
    let proof = configured.provider ?? presetName.map(ProviderReference.preset)
    if let proof, try sendsSecretsOnly(provider, to: proof) { return true }
    // This check needs no network.
    if try grantHas(wanted(configured), at: provider) { return false }
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

  /// Whether the account's grant already has these secrets, for `provider` or for its own. The request then uses the grant's own.
  func grantHas(_ secrets: Secrets, at provider: Provider?) throws(OAuthFailure) -> Bool {
    guard let stored, stored.client.id == clientId ?? stored.client.id else { return false }
    if let secret = secrets.clientSecret, stored.client.secret != secret { return false }
    if let certificate = secrets.certificate, stored.client.certificate != certificate { return false }
    if let key = secrets.key, key != stored.client.key {
      guard case .text(let text) = key.material, stored.provider["privateKey"]?.string == text.value else { return false }
    }
    return try provider?.sendsSecretsNowhereElse(than: stored.resolvedProvider) ?? true
  }
}
