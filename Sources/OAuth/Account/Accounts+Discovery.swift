import Jansson

extension Accounts {
  /// Looks behind the URL that a provider is to be discovered from, where it is; afterwards `Presets` knows what is there.
  ///
  /// Not where the account has a grant that was made by the same words: what is kept is enough to use and refresh it, without the network.
  package func discover(_ reference: ProviderReference, _ variables: NamedValues<String>, for account: String?) async throws {
    guard let discoveries = surroundings.presets.discoveries, let url = try surroundings.presets.discovery(of: reference, variables),
      !discoveries.isFresh(url, at: now)
    else { return }
    let parts = try? URLParts(url)
    if let account = account ?? parts?.host, let grant = try stored(account),
      grant.providerReference == Presets.kept(reference, variables), let description = grant.provider.members
    {
      discoveries.suppose(description, of: url)
      return
    }
    do {
      try await discover(url, parts, discoveries)
    } catch let failure as OAuthFailure {
      throw account.map(failure.of) ?? failure
    }
  }

  /// The same once more before somebody has to sign in, where what is known is old; the setup with what has been found.
  func rediscovered(_ setup: AuthorizeSetup) async throws -> AuthorizeSetup {
    guard let discoveries = surroundings.presets.discoveries, let url = setup.provider.discovery, !discoveries.isFresh(url, at: now) else {
      return setup
    }
    try await discover(url, try? URLParts(url), discoveries)
    return try settle(setup.request)
  }

  /// What is no URL is refused when the description is read.
  private func discover(_ url: String, _ parts: URLParts?, _ discoveries: Discoveries) async throws {
    guard let parts else { return }
    try await discoveries.discover(parts, named: url, http: surroundings.http, clock: surroundings.clock)
    surroundings.remark(.discovered(host: parts.host))
  }
}
