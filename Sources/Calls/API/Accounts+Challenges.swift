import HTTP
import Jansson
import OAuth
import OAuthCore
import Plans
import Platform
import Store

/// What the challenges of services mean for the sign-in of an account.
extension Accounts {
  /// In seconds. Then the call goes on with the token that the account has.
  private static let metadataTimeout = 5

  /// Uses a 401 of the API at `url` for the sign-in that follows: its scopes, and its place of the resource's metadata. Only the API that the
  /// account's provider was found from decides about them, which is the URL and all below it: other paths of the host may be of others. Without a
  /// grant, that is the API itself.
  ///
  /// Throws `signInRequired` if the API names another authorization server by now. The grant stays until the user has signed in there. For
  /// `patience` seconds, the same challenge is no reason to look at the metadata again: each call with an expired token gets one.
  package func heed(_ challenge: HTTPChallenge.Resource, from url: URLParts, of grant: Grant?, patience: Int = 10) async throws {
    guard let discoveries = dependencies.servers.discoveries else { return }
    // The sign-in reads the metadata. The first 401 to its token is a reason to read it again.
    guard let grant else { return _ = discoveries.note(challenge, of: url.description, at: 0, patience) }
    guard let provider = try? grant.resolvedProvider, provider.isFoundFromAPI, let name = provider.discovery,
      let place = try? URLParts(name), place.origin == url.origin, MetadataDocument.Resource.isUnder(url.path, place.path),
      CallRule.isReadable(url.path)
    else { return }
    // A call that meets the same challenge meanwhile waits for the same answer.
    if discoveries.note(challenge, of: name, at: now, patience) || discoveries.isFetching(name) {
      // An outage of the metadata says nothing about the login.
      _ = try? await clock.withTimeout(Self.metadataTimeout) { [dependencies] in
        try await discoveries.discover(place, named: name, http: dependencies.http, clock: dependencies.clock, mayPost: false)
      }
      try Task.checkCancellation()
    }
    guard let change = dependencies.catalog.change(of: grant)?.issuers else { return }
    await self[grant.account].note(grant) { [now] in $0.doubtedAt = $0.doubtedAt ?? now }
    throw OAuthFailure.issuerChanged(change, account: grant.account)
  }

  /// Asks the user of `input`'s account for what a service demands, and waits for the end of the sign-in.
  ///
  /// Returns false if it cannot be asked for: the service does not name the scopes, or they were refused since the last sign-in.
  package func stepUp(_ challenge: APIResponse.Challenge, _ input: AuthorizationInput) async throws -> Bool {
    guard let account = input.account else { return false }
    do {
      guard let authorization = try await signIn(challenge, input) else { return false }
      try await remember(challenge, account, .success(authorization))
      return true
    } catch {
      try await remember(challenge, account, .failure(error))
      throw error
    }
  }

  /// Begins the sign-in that brings what a service demands. Returns nil if it cannot be asked for.
  package func signIn(_ challenge: APIResponse.Challenge, _ input: AuthorizationInput) async throws -> Authorization? {
    var input = input
    guard let account = input.account, challenge.add(to: &input) else { return nil }
    if case .scope(let scopes, _) = challenge {
      guard let requested = try await self.scopes(ofStepUpTo: scopes, account) else { return nil }
      input.scopes = requested
    }
    return try await addScopes(input)
  }

  /// Returns the scopes to add for a service that demands `scopes`: those, and all that the last sign-in requested in vain. The granted ones
  /// follow by themselves. Returns nil if the demanded ones were refused since the last sign-in.
  package func scopes(ofStepUpTo scopes: [String], _ account: String) async throws -> [String]? {
    let grant = try await self[account].currentAfterSaving()
    if let grant, scopes.contains(where: grant.refusedScopes.contains) { return nil }
    return scopes + (grant?.declinedScopes ?? []).filter { !scopes.contains($0) }
  }

  /// Remembers which of the demanded scopes the user or the provider has refused.
  package func remember(_ challenge: APIResponse.Challenge, _ account: String, _ outcome: Result<Authorization, any Error>) async throws {
    guard case .scope(let scopes, _) = challenge else { return }
    var refused: [String] = []
    switch outcome {
    case .success(let authorization): refused = authorization.missingScopes.filter(scopes.contains)
    case .failure(let error):
      let failure = (error as? OAuthFailure.Reported)?.failure ?? error as? OAuthFailure
      if failure?.kind == .accessDenied, failure?["reason"] == nil { refused = scopes }
    }
    guard !refused.isEmpty, let grant = try await self[account].currentAfterSaving() else { return }
    await self[account].note(grant) { [refused] in $0.refusedScopes = $0.refusedScopes.filter { !refused.contains($0) } + refused }
  }
}
