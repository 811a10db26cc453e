import Jansson
import OAuthCore
import Platform
import Store

/// The request that `afterSignIn` of a provider's description names.
struct AccountLookupRequest: Sendable {
  /// Timeout in seconds. The user is looking at the sign-in's page meanwhile.
  static let timeout = 10

  let dependencies: Dependencies
  /// The id of the request that caused the look-up.
  let requestID: JSON?

  /// Returns the grant with the values from the response as attributes; nil if there is nothing to look up or the request fails.
  ///
  /// An event reports a failure, and the login stays valid. Calls ask again after a minute; a call that needs a missing value names that value.
  func completed(_ grant: Grant) async -> Grant? {
    do {
      guard let (lookup, missing, provider) = try Self.needed(by: grant) else { return nil }
      let found = lookup.values(in: try await response(lookup, grant, provider))
      if let name = missing.first(where: { found[$0] == nil }) { throw OAuthFailure.untrusted("the response has no \(name)") }
      var completed = grant
      completed.attributes = grant.attributes.merged(with: NamedValues(found.pairs.filter { missing.contains($0.name) }))
      // A value that leads to a foreign host is rejected before it is stored.
      _ = try completed.resolvedProvider
      completed.generation += 1
      return completed
    } catch {
      // A cancelled request has another event.
      guard var failure = (error as? OAuthFailure)?.of(grant.account) else { return nil }
      failure.message = "the request of afterSignIn failed: \(failure.message)"
      dependencies.emit(AccountEvent(account: grant.account, requestID: requestID, kind: .failed(failure)))
      return nil
    }
  }

  /// Returns the look-up and the names without a value in the grant; nil if every name has a value.
  static func needed(by grant: Grant) throws(OAuthFailure) -> (lookup: AccountLookup, missing: [String], provider: Provider)? {
    let provider = try grant.resolvedProvider
    guard let lookup = provider.afterSignIn, grant.accessToken != nil else { return nil }
    let missing = lookup.names.filter { grant.attributes[$0] == nil && provider.variables[$0] == nil }
    return missing.isEmpty ? nil : (lookup, missing, provider)
  }

  private func response(_ lookup: AccountLookup, _ grant: Grant, _ provider: Provider) async throws -> JSON {
    var request = HTTPRequest(method: "GET", url: lookup.url, headers: [HTTPHeader("Accept", "application/json")])
    request.addHeaders(of: provider)
    request.timeout = Self.timeout
    let credential = RequestCredential(grant: grant, resolved: .init(provider), dependencies: dependencies)
    let response = try await credential.send(request) {
      try await dependencies.exchange($0, to: provider, for: grant.account, as: "lookup")
    }
    guard (200..<300).contains(response.status) else {
      throw OAuthFailure(
        .serviceError, "the service answered with status \(response.status)", details: [.init("httpStatus", .integer(response.status))],
        isRetryable: response.status >= 500 || response.status == 429)
    }
    guard let json = try? JSON.parse(response.body) else { throw OAuthFailure.untrusted("the response is not valid JSON") }
    return json
  }
}

extension Account {
  /// Returns the grant with the `afterSignIn` values. They are missing if the request failed.
  /// Calls with the same grant share one request.
  package func completed(_ grant: Grant, requestID: JSON?) async -> Grant {
    guard grant.provider["afterSignIn"] != nil, (try? AccountLookupRequest.needed(by: grant)) != nil else { return grant }
    let version = grant.version
    let own = Promise<Grant?>()
    let now = dependencies.clock.now
    if lives[key].hasFailedLookUp(version, at: now) { return grant }
    let running = lives.change(key) { life -> Promise<Grant?>? in
      if let lookUp = life.lookUp, lookUp.version == version { return lookUp.promise }
      life.lookUp = (version, own)
      return nil
    }
    if running == nil { Task { own.settle(.success(await lookUp(grant, version, requestID))) } }
    return ((try? await (running ?? own).value()) ?? nil) ?? grant
  }

  private func lookUp(_ grant: Grant, _ version: Grant.Version, _ requestID: JSON?) async -> Grant? {
    var found = await AccountLookupRequest(dependencies: dependencies, requestID: requestID).completed(grant)
    // The account may have a newer grant. The calls continue with theirs and its old generation number.
    if let completed = found, await !replace(grant, with: completed) { found?.generation = grant.generation }
    lives.change(key) { [failed = found == nil, now = dependencies.clock.now] in $0.endLookUp(version, failed: failed, at: now) }
    return found
  }
}
