import HTTP
import Jansson
import OAuthCore
import Platform
import Store

/// What the challenges of services mean for the sign-in of an account.
extension Accounts {
  /// In seconds. An API whose metadata take longer is called on with the token that the account has.
  private static let metadataTimeout = 10

  /// Uses a 401 of the API at `url` for the sign-in that follows: its scopes, and its place of the resource's metadata. Only the API that the
  /// account's provider was found from decides about them.
  ///
  /// Throws `signInRequired` if the API names another authorization server by now. The grant stays until the user has signed in there.
  package func heed(_ challenge: HTTPChallenge.Resource, from url: URLParts, of grant: Grant) async throws {
    guard let provider = try? grant.resolvedProvider, provider.isFoundFromAPI, let name = provider.discovery,
      let place = try? URLParts(name), place.origin == url.origin, let discoveries = dependencies.servers.discoveries
    else { return }
    discoveries.note(challenge, of: name)
    // An outage of the metadata says nothing about the login.
    _ = try? await clock.withTimeout(Self.metadataTimeout) { [dependencies] in
      try await discoveries.discover(place, named: name, http: dependencies.http, clock: dependencies.clock)
    }
    try Task.checkCancellation()
    guard let change = dependencies.catalog.change(of: grant)?.issuers else { return }
    await self[grant.account].note(grant) { [now] in $0.doubtedAt = $0.doubtedAt ?? now }
    var failure = OAuthFailure.signInRequired(
      .issuerChanged, account: grant.account,
      why: "the API names the authorization server \(change.current) now, and the grant is of \(change.previous)")
    failure.details += [.init("previousIssuer", .string(change.previous)), .init("issuer", .string(change.current))]
    throw failure
  }

  /// Asks the user of `input`'s account for what a service demands: for scopes, all that were requested before and those of the demand.
  ///
  /// Returns false if it cannot be asked for: the service does not name the scopes, or they were refused since the last sign-in.
  package func stepUp(_ challenge: APIResponse.Challenge, _ input: AuthorizationInput) async throws -> Bool {
    var input = input
    guard let name = input.account, challenge.add(to: &input) else { return false }
    guard case .scope(let scopes) = challenge else {
      _ = try await addScopes(input)
      return true
    }
    let account = self[name]
    let grant = try await account.currentAfterSaving()
    if let grant, scopes.contains(where: grant.refusedScopes.contains) { return false }
    input.scopes = scopes + (grant?.declinedScopes ?? []).filter { !scopes.contains($0) }
    func remember(_ refused: [String]) async throws {
      guard !refused.isEmpty, let grant = try await account.currentAfterSaving() else { return }
      await account.note(grant) { $0.refusedScopes = refused }
    }
    do {
      let authorization = try await addScopes(input)
      try await remember(authorization.missingScopes.filter(scopes.contains))
      return true
    } catch {
      let failure = (error as? OAuthFailure.Reported)?.failure ?? error as? OAuthFailure
      if failure?.kind == .accessDenied, failure?["reason"] == nil { try await remember(scopes) }
      throw error
    }
  }
}
