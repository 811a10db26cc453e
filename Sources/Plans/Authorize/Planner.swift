import Jansson
import OAuthCore
import Store

/// Decides what a request means. Pure: it reads no clock and no grant, sends nothing and asks no user.
///
/// The request's members win over the configured ones, and those over the stored grant's. A configured account accepts only its own provider and
/// client. A configured secret goes only to the origins that the configuration or a named preset names. A grant is not a proof, because a client can
/// import one.
package struct Planner {
  /// A document that the plan needs and this process has not fetched yet. The plan is computed again after the fetch.
  package struct MissingPublication: Error {
    package enum Purpose {
      /// It describes the requested provider.
      case request
      /// It describes the configured provider, with which the requested one is compared.
      case identity
      /// It says where the configured secret may go. If it cannot be fetched, the secret stays here.
      case secret
    }

    package var url: URLParts
    /// The URL as the description writes it.
    package var name: String
    package var purpose: Purpose
  }

  let input: AuthorizationInput
  let configured: ConfiguredAccount?
  let stored: Grant?
  let catalog: ProviderCatalog
  /// The URLs whose documents could not be fetched.
  let unreachable: Set<String>

  package init(
    input: AuthorizationInput, configured: ConfiguredAccount?, stored: Grant?, catalog: ProviderCatalog, unreachable: Set<String> = []
  ) {
    (self.input, self.configured, self.stored, self.catalog, self.unreachable) = (input, configured, stored, catalog, unreachable)
  }

  /// The configuration, if its provider and client count for this request.
  var applicableConfiguration: ConfiguredAccount? { configured.flatMap { $0.decides(input, stored) ? $0 : nil } }
  var configuredVariables: NamedValues<String> { applicableConfiguration?.variables ?? .init() }

  package func plan() throws -> AuthorizationPlan {
    if input.purpose == .addScopes, stored == nil, let account = input.account {
      throw OAuthFailure.signInRequired(.noGrant, account: account)
    }
    var request = input.completed(by: configured, stored)
    var reference = request.provider ?? input.usualProvider
    if reference == nil, input.purpose == .signIn { reference = stored.flatMap { catalog.change(of: $0) }?.reference }
    var provider: Provider
    var secrets = ClientCredentials()
    if let reference {
      let variables = try mergedVariables(for: reference)
      provider = try requested(reference, variables)
      try checkClient()
      try checkIdentity(of: provider, variables)
      secrets = try configuredCredentials(for: provider, presetName: reference.presetName)
      if provider.protocolName == .oauth1, case .text(let key)? = (input.credentials.key ?? secrets.key)?.material {
        provider.use(privateKey: key, unlessIn: reference)
      }
    } else {
      provider = try providerOfGrant()
    }
    try checkSources(request.sources, for: provider)
    // A stored grant's client is valid only at its own provider.
    let own = stored.flatMap { reference == nil || $0.isOf(provider) ? $0 : nil }
    // The tokens of a login that was bound once stay so. An imported token has no key here.
    let wasBound = own?.dpopKey != nil && input.purpose != .importGrant
    if let dpop = request.dpop ?? (wasBound ? true : nil) { provider.bindTokens(dpop) }
    let canRegister = AuthorizationPlan.canRegister(with: provider)
    // An imported token may need no client.
    let mayLackClient = request.flow.mayLackClient || input.purpose == .importGrant
    let needsClient = provider.needsClient && !canRegister && !mayLackClient
    let document = catalog.acceptsClientMetadata(provider) ? request.clientMetadata : nil
    let known = own?.isClientForgotten == true && document != nil ? nil : own?.client.id
    guard let id = request.clientId ?? known ?? document ?? (needsClient ? nil : "") else {
      throw AuthorizationPlan.missingClient(of: provider)
    }
    let client = try client(id, secrets, own, provider)
    if id == document, let ports = request.redirectPorts { provider.redirect.redirectPorts = ports }
    if reference == nil { request.scopes = request.scopes ?? own?.grantedScopes }
    var plan = AuthorizationPlan(
      account: input.account ?? provider.defaultAccount, provider: provider, client: client, scopes: request.scopes ?? [], request: request,
      stored: stored,
      registersClient: request.clientId == nil && id != document && canRegister && !request.flow.mayLackClient
        && (own?.isClientRegistered ?? false || id.isEmpty))
    plan.complete(from: own, namesAllParameters: reference != nil && request.flow.isForClient)
    try check(input.clientRequest, of: plan)
    return plan
  }

  /// Returns the provider of the stored grant, because neither the request nor the configuration names one.
  private func providerOfGrant() throws -> Provider {
    if input.variables != nil { throw FieldError("/variables", "needs a provider in the same request") }
    guard let account = input.account else { throw FieldError.missing("/provider") }
    try checkClient()
    if let configured = applicableConfiguration, !configured.credentials.isEmpty, try !grantHas(configured.credentials, at: nil) {
      throw configured.missingProvider
    }
    if let stored { return try stored.resolvedProvider }
    // The caller asks only for a stored grant. There is none, and no provider is needed to say so.
    if input.interaction == .never { throw OAuthFailure.signInRequired(.noGrant, account: account, advice: .ask) }
    throw FieldError.missing("/provider", ": neither the configuration nor a stored grant names one for this account")
  }

  // MARK: Provider

  /// Returns the variables for the requested provider: the request's over the configured ones.
  /// If the request names another provider, configured variables that it does not have are dropped. A description of the caller gets no
  /// configured secret, because the caller could have it sent to the page, which every client sees.
  private func mergedVariables(for reference: ProviderReference) throws -> NamedValues<String> {
    var configuredVariables = configuredVariables
    if input.describesProvider, !reference.isSame(as: applicableConfiguration?.provider) {
      configuredVariables.pairs.removeAll { isSecretVariable($0.name) }
    }
    var variables = configuredVariables.merged(with: input.variables ?? .init())
    guard input.provider != nil, !configuredVariables.pairs.isEmpty else { return variables }
    let unknown = catalog.unknownNames(of: variables, for: reference).filter { input.variables?[$0] == nil }
    variables.pairs.removeAll { unknown.contains($0.name) }
    return variables
  }

  /// Whether the name is that of a secret, or the configured description has the variable in a secret's place.
  private func isSecretVariable(_ name: String) -> Bool {
    if SecretName.isParameter(name) { return true }
    guard case .description(let members)? = applicableConfiguration?.provider else { return false }
    return JSON.object(members).secretPlaces.contains { Template($0).names.contains(name) }
  }

  package func requested(_ reference: ProviderReference, _ variables: NamedValues<String>) throws -> Provider {
    do {
      return try resolve(reference, variables, for: .request)
    } catch let failure as OAuthFailure {
      throw input.blaming(failure, configuration: applicableConfiguration)
    }
  }

  /// Returns the provider. What this process has not fetched comes from the account's own grant only.
  private func resolve(
    _ reference: ProviderReference, _ variables: NamedValues<String>, for purpose: MissingPublication.Purpose
  ) throws -> Provider {
    let written = try catalog.written(reference, variables)
    let publication = stored?.publication
    if let missing = missing(written, for: purpose), publication?.url != missing.name { throw missing }
    var provider = try catalog.resolve(written, stored: publication)
    if let url = written.discovery, provider.published == nil, publication?.url == url { provider.published = publication?.description }
    // A client without a certificate must not fail because of where the aliases are.
    let mayHaveOne = configured?.clientCertificate != nil || (input.credentials.certificate ?? stored?.client.certificate) != nil
    if !mayHaveOne { provider.mtlsEndpoints = .init() }
    return provider
  }

  /// Returns the publication that the description needs and this process has not fetched. An invalid URL is rejected when the description is read.
  func missing(_ written: ProviderCatalog.Written, for purpose: MissingPublication.Purpose) -> MissingPublication? {
    guard let name = written.discovery, catalog.discoveries != nil, catalog.fetched(name) == nil, let url = try? URLParts(name) else {
      return nil
    }
    return MissingPublication(url: url, name: name, purpose: purpose)
  }

  // MARK: The configured provider and client

  private func checkClient() throws(FieldError) {
    guard let id = applicableConfiguration?.clientId, input.clientId ?? id != id else { return }
    throw FieldError(
      "/clientId", "is not the client that the configuration names for the account \(shown): leave it out, or name another account")
  }

  /// Rejects params that name a provider other than the configured one. Otherwise a client could replace the configured provider, and
  /// the account's users would not notice.
  private func checkIdentity(of found: Provider, _ variables: NamedValues<String>) throws {
    guard let configured = applicableConfiguration, let own = configured.provider, input.provider != nil || input.variables != nil else {
      return
    }
    // The request may set variables that the configuration leaves open.
    let open = NamedValues(variables.pairs.filter { own.variables[$0.name] == nil }).merged(with: configuredVariables)
    do {
      let wanted = try resolve(own, open, for: .identity)
      if found.isSame(as: wanted), found.sendsSecretsNowhereElse(than: wanted), found.sendsTokensNowhereElse(than: wanted),
        try staysWithConfiguredOrigins(found, own), found.hasAssertions(of: wanted) || !configured.hasAssertions(at: found)
      {
        return
      }
    } catch let failure as OAuthFailure {
      throw failure.blaming(configuration: configured)
    }
    throw FieldError(
      input.provider == nil ? "/variables" : "/provider",
      "is not the provider that the configuration names for the account \(shown): leave it out, or name another account")
  }

  /// Whether a request's variables lead to the same origins as the configuration's own, including a preset's defaults.
  private func staysWithConfiguredOrigins(_ found: Provider, _ own: ProviderReference) throws -> Bool {
    do {
      return found.sendsSecretsNowhereElse(than: try resolve(own, configuredVariables, for: .identity))
    } catch let failure as OAuthFailure where failure.kind == .configurationInvalid {
      // The configuration lacks a variable that only the request sets.
      return true
    }
  }

  var shown: String { "\"\(configured?.place?.account ?? input.account ?? "")\"" }
}
