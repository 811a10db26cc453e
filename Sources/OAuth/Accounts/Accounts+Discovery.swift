import Jansson
import OAuthCore
import Platform

extension Accounts {
  /// Fetches the metadata published at the provider's discovery URL. Afterwards `resolve` knows it.
  ///
  /// Fetches nothing if the account's grant stores the metadata: that is enough to use and refresh the grant without the network.
  ///
  /// Throws `signInRequired` if there is no grant and `mayBeAsked` is false, because the user cannot be asked to sign in.
  package func discover(
    _ reference: ProviderReference, _ variables: NamedValues<String>, for account: String? = nil, mayBeAsked: Bool = true,
    in seconds: Int = Accounts.patience
  ) async throws {
    guard let discoveries = dependencies.catalog.discoveries, let url = try dependencies.catalog.discovery(of: reference, variables),
      !discoveries.isFresh(url, at: now)
    else { return }
    // An invalid URL is rejected when the description is read.
    guard let parts = try? URLParts(url) else { return }
    let name = account ?? reference.presetName ?? ProviderCatalog.account(named: parts)
    let grant = try stored(name)
    if grant?.publication(for: ProviderCatalog.kept(reference, variables))?.url == url { return }
    guard grant != nil || mayBeAsked else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
    do {
      try await discover(url, parts, discoveries, in: seconds, of: seconds)
    } catch let failure as OAuthFailure {
      throw account.map(failure.of) ?? failure
    }
  }

  /// Fetches the published metadata of `reference` unless this process has already done so.
  /// Ignores stored grants, because a secret is sent to the places that the metadata names.
  package func fetch(_ reference: ProviderReference, _ variables: NamedValues<String>, in seconds: Int) async throws {
    guard let discoveries = dependencies.catalog.discoveries, let url = try dependencies.catalog.discovery(of: reference, variables),
      discoveries.description(of: url) == nil, let parts = try? URLParts(url)
    else { return }
    try await discover(url, parts, discoveries, in: seconds, of: seconds)
  }

  /// Returns the provider that a request for `account` means. Metadata that this process has not fetched comes from the account's own grant only.
  package func resolve(
    _ reference: ProviderReference, _ variables: NamedValues<String>, for account: String?
  ) throws(OAuthFailure) -> Provider {
    let catalog = dependencies.catalog
    guard let url = try catalog.discovery(of: reference, variables), let parts = try? URLParts(url) else {
      return try catalog.resolve(reference, variables: variables)
    }
    let grant = try stored(account ?? reference.presetName ?? ProviderCatalog.account(named: parts))
    var provider = try catalog.resolve(
      reference, variables: variables, kept: grant?.publication(for: ProviderCatalog.kept(reference, variables)))
    if provider.published == nil, grant?.publication?.url == url { provider.published = grant?.published }
    return provider
  }

  /// Fetches outdated metadata again before the user has to sign in. Returns the setup with the new metadata.
  func rediscovered(_ plan: AuthorizationPlan, _ deadline: Deadline) async throws -> AuthorizationPlan {
    guard let discoveries = dependencies.catalog.discoveries, let url = plan.provider.discovery, !discoveries.isFresh(url, at: now),
      let parts = try? URLParts(url)
    else { return plan }
    try await discover(url, parts, discoveries, in: deadline.left, of: deadline.seconds)
    return try settle(plan.request)
  }

  /// Fetches the metadata within `seconds`. A fetch that takes longer continues in the background and serves the next caller.
  private func discover(_ url: String, _ parts: URLParts, _ discoveries: DiscoveryCache, in seconds: Int, of time: Int) async throws {
    let found: Void? = try await dependencies.clock.withTimeout(max(1, seconds)) { [dependencies] in
      try await discoveries.discover(parts, named: url, http: dependencies.http, clock: dependencies.clock)
    }
    guard found != nil else {
      throw OAuthFailure(.timedOut, "what is published about \(parts.shown) was not there after \(time) s", isRetryable: true)
    }
    dependencies.log(.discovered(host: parts.host))
  }

  /// Rejects a setup that would send the client's secret to a place other than before. A resource whose metadata names another server
  /// than when the grant was issued would otherwise get the secret. A user who wants the new place signs the account out.
  func checkPlaces(of plan: AuthorizationPlan) throws {
    guard plan.client.secret != nil, let url = plan.provider.discovery, let kept = try stored(plan.account),
      kept.client.id == plan.client.id, kept.providerReference?.sorted == plan.provider.reference?.sorted
    else { return }
    let provider = try kept.resolvedProvider
    guard !plan.provider.sendsSecretsNowhereElse(than: provider) else { return }
    throw OAuthFailure.untrusted(
      "what is published about \((try? URLParts(url))?.shown ?? "the provider") names other places than those that the client's secret has gone to before: "
        + "sign the account out to have it go there")
  }
}
