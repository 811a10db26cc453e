import Jansson

extension Accounts {
  /// Fetches what is published at the URL that a provider is to be discovered from; afterwards `resolve` knows it.
  ///
  /// Not where the account's grant keeps it: that is enough to use and refresh the grant, without the network.
  ///
  /// Nor where there is no grant at all and `mayBeAsked` says that nobody can be asked for one.
  package func discover(
    _ reference: ProviderReference, _ variables: NamedValues<String>, for account: String? = nil, mayBeAsked: Bool = true,
    in seconds: Int = Accounts.patience
  ) async throws {
    guard let discoveries = surroundings.presets.discoveries, let url = try surroundings.presets.discovery(of: reference, variables),
      !discoveries.isFresh(url, at: now)
    else { return }
    // What is no URL is refused when the description is read.
    guard let parts = try? URLParts(url) else { return }
    let name = account ?? reference.presetName ?? Presets.account(named: parts)
    let grant = try stored(name)
    if grant?.publication(for: Presets.kept(reference, variables))?.url == url { return }
    guard grant != nil || mayBeAsked else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
    do {
      try await discover(url, parts, discoveries, in: seconds, of: seconds)
    } catch let failure as OAuthFailure {
      throw account.map(failure.of) ?? failure
    }
  }

  /// Fetches what is published behind `reference` unless this process has done so, whatever grants keep: for a secret that goes where it says.
  package func fetch(_ reference: ProviderReference, _ variables: NamedValues<String>, in seconds: Int) async throws {
    guard let discoveries = surroundings.presets.discoveries, let url = try surroundings.presets.discovery(of: reference, variables),
      discoveries.description(of: url) == nil, let parts = try? URLParts(url)
    else { return }
    try await discover(url, parts, discoveries, in: seconds, of: seconds)
  }

  /// The provider that a request for `account` means; what is not fetched is taken from the account's own grant, and from no other.
  package func resolve(
    _ reference: ProviderReference, _ variables: NamedValues<String>, for account: String?
  ) throws(OAuthFailure) -> Provider {
    let presets = surroundings.presets
    guard let url = try presets.discovery(of: reference, variables), let parts = try? URLParts(url) else {
      return try presets.resolve(reference, variables: variables)
    }
    let grant = try stored(account ?? reference.presetName ?? Presets.account(named: parts))
    var provider = try presets.resolve(
      reference, variables: variables, kept: grant?.publication(for: Presets.kept(reference, variables)))
    if provider.published == nil, grant?.publication?.url == url { provider.published = grant?.published }
    return provider
  }

  /// The same once more before somebody has to sign in, where what is known is old; the setup with what has been found.
  func rediscovered(_ setup: AuthorizeSetup, _ deadline: Deadline) async throws -> AuthorizeSetup {
    guard let discoveries = surroundings.presets.discoveries, let url = setup.provider.discovery, !discoveries.isFresh(url, at: now),
      let parts = try? URLParts(url)
    else { return setup }
    try await discover(url, parts, discoveries, in: deadline.left, of: deadline.seconds)
    return try settle(setup.request)
  }

  /// A look that takes longer than whoever asks has time for goes on for the next one.
  private func discover(_ url: String, _ parts: URLParts, _ discoveries: Discoveries, in seconds: Int, of time: Int) async throws {
    let found: Void? = try await within(max(1, seconds)) { [surroundings] in
      try await discoveries.discover(parts, named: url, http: surroundings.http, clock: surroundings.clock)
    }
    guard found != nil else {
      throw OAuthFailure(.timedOut, "what is published about \(parts.shown) was not there after \(time) s", isRetryable: true)
    }
    surroundings.remark(.discovered(host: parts.host))
  }

  /// Refuses to send a client's secret where what is discovered has moved to: a resource that names another server today than when the account's grant
  /// was given would get it by that alone. Whoever means it signs the account out.
  func checkPlaces(of setup: AuthorizeSetup) throws {
    guard setup.client.secret != nil, let url = setup.provider.discovery, let kept = try stored(setup.account),
      kept.client.id == setup.client.id, kept.providerReference?.sorted == setup.provider.reference?.sorted
    else { return }
    let provider = try kept.resolvedProvider
    guard !setup.provider.sendsSecretsNowhereElse(than: provider) else { return }
    throw OAuthFailure.untrusted(
      "what is published about \((try? URLParts(url))?.shown ?? "the provider") names other places than those that the client's secret has gone to before: "
        + "sign the account out to have it go there")
  }
}
