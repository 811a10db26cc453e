import Jansson

extension Accounts {
  /// Looks behind the URL that a provider is to be discovered from, where it is; afterwards `Presets` knows what is there.
  ///
  /// Not where the account has a grant that was made by the same words: what is kept is enough to use and refresh it, without the network.
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
    if let grant, grant.providerReference?.sorted == Presets.kept(reference, variables).sorted, let description = grant.provider.members {
      discoveries.suppose(description, of: url)
      return
    }
    guard grant != nil || mayBeAsked else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
    do {
      try await discover(url, parts, discoveries, in: seconds, of: seconds)
    } catch let failure as OAuthFailure {
      throw account.map(failure.of) ?? failure
    }
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
