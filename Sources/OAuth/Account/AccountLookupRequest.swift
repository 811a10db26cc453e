import Jansson

/// The request that `afterSignIn` of a provider's description names.
struct AccountLookupRequest: Sendable {
  /// Seconds for the request: the user is looking at the sign-in's page meanwhile.
  static let timeout = 10

  let surroundings: Surroundings
  /// The id of the request that caused it.
  let cause: JSON?

  /// The grant with the values that the answer names as attributes; nil if there is nothing to look up or the request fails.
  ///
  /// A failure is reported by an event and costs no login: the next call asks again, and one that needs a missing value says which one.
  func completed(_ grant: Grant) async -> Grant? {
    do throws(OAuthFailure) {
      let provider = try grant.resolvedProvider
      guard let lookup = provider.afterSignIn, grant.accessToken != nil else { return nil }
      let missing = lookup.names.filter { grant.attributes[$0] == nil && provider.variables[$0] == nil }
      if missing.isEmpty { return nil }
      let found = lookup.values(in: try await answer(lookup, grant, provider))
      if let name = missing.first(where: { found[$0] == nil }) { throw .untrusted("the answer has no \(name)") }
      var completed = grant
      completed.attributes = grant.attributes.merged(with: NamedValues(found.pairs.filter { missing.contains($0.name) }))
      // A value that leads to a foreign host is rejected before it is stored.
      _ = try completed.resolvedProvider
      completed.generation += 1
      return completed
    } catch {
      var failure = error.of(grant.account)
      failure.message = "the request after the sign-in, which names what API calls need, failed: \(failure.message)"
      surroundings.tell(AccountEvent(account: grant.account, cause: cause, fact: .failed(failure)))
      return nil
    }
  }

  private func answer(_ lookup: AccountLookup, _ grant: Grant, _ provider: Provider) async throws(OAuthFailure) -> JSON {
    var request = HTTPRequest(method: "GET", url: lookup.url, headers: [HTTPHeader("Accept", "application/json")])
    request.addHeaders(of: provider)
    // A header that needs the very value is left out.
    request.headers.removeAll { !Template($0.value).names.isEmpty }
    request.timeout = Self.timeout
    let credential = RequestCredential(grant: grant, provider: provider, surroundings: surroundings)
    let signed = try credential.apply(to: request)
    let response: HTTPResponse
    do throws(HTTPFailure) { response = try await surroundings.http.send(signed) } catch { throw OAuthFailure(error) }
    guard (200..<300).contains(response.status) else {
      throw OAuthFailure(
        .serviceError, "the service answered with status \(response.status)", details: [.init("httpStatus", .integer(response.status))],
        isRetryable: response.status >= 500 || response.status == 429)
    }
    do {
      return try JSON.parse(response.body)
    } catch {
      throw .untrusted("the answer is no JSON")
    }
  }
}

extension Accounts {
  /// The grant with what `afterSignIn` brings, if a sign-in before this version or a failed request left that out.
  func completed(_ grant: Grant, cause: JSON?) async -> Grant {
    guard grant.provider["afterSignIn"] != nil else { return grant }
    guard let found = await AccountLookupRequest(surroundings: surroundings, cause: cause).completed(grant) else { return grant }
    return await refreshes.keep(found, inPlaceOf: grant)
  }
}

extension Refreshes {
  /// Stores a grant that knows more than `old`. If `old` is no longer the current one, the call goes on with what it found and nothing is stored.
  func keep(_ found: Grant, inPlaceOf old: Grant) async -> Grant {
    do {
      let lock = try await surroundings.store.lock(old.account)
      defer { withExtendedLifetime(lock) {} }
      if try current(old.account)?.generation == old.generation { try await save(found) }
    } catch {
      // `save` has logged why, and keeps the grant in memory.
    }
    return found
  }
}
