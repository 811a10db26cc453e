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
  /// A failure is reported by an event and costs no login: a call asks again after a minute, and one that needs a missing value says which one.
  func completed(_ grant: Grant) async -> Grant? {
    do throws(OAuthFailure) {
      guard let (lookup, missing, provider) = try Self.needed(by: grant) else { return nil }
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

  /// The look-up and the names that the grant has no values for; nil if it has them all.
  static func needed(by grant: Grant) throws(OAuthFailure) -> (lookup: AccountLookup, missing: [String], provider: Provider)? {
    let provider = try grant.resolvedProvider
    guard let lookup = provider.afterSignIn, grant.accessToken != nil else { return nil }
    let missing = lookup.names.filter { grant.attributes[$0] == nil && provider.variables[$0] == nil }
    return missing.isEmpty ? nil : (lookup, missing, provider)
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
    do throws(HTTPFailure) { response = try await surroundings.http.send(signed, to: provider) } catch { throw OAuthFailure(error) }
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
    guard grant.provider["afterSignIn"] != nil, (try? AccountLookupRequest.needed(by: grant)) != nil else { return grant }
    return await refreshes.completed(grant, cause: cause) ?? grant
  }
}

extension Refreshes {
  /// The look-up of the values that a grant lacks.
  struct LookUp {
    let grant: Grant
    /// The grant with its values; nil if they could not be had.
    let answer = Promise<Grant?>()
    /// In Unix seconds.
    var failed: Int?
  }

  /// Seconds after a failed look-up in which calls do without one: a service that doesn't answer must not delay every call.
  private static let lookUpPause = 60

  /// The grant with the missing values, by one request for all calls that have the same grant; nil if they could not be had.
  func completed(_ grant: Grant, cause: JSON?) async -> Grant? {
    let key = AccountKey(grant.account)
    if let known = lookUps[key], known.grant.isSame(as: grant) {
      guard let failed = known.failed else { return (try? await known.answer.value()) ?? nil }
      if (failed..<failed + Self.lookUpPause).contains(surroundings.clock()) { return nil }
    }
    let lookUp = LookUp(grant: grant)
    lookUps[key] = lookUp
    // No caller's cancellation reaches it, because others may wait for the same answer.
    Task {
      var found = await AccountLookupRequest(surroundings: surroundings, cause: cause).completed(grant)
      if let better = found, await !replace(grant, with: better) {
        // The account has a newer grant. The calls go on with theirs, under the number that it had.
        found?.generation = grant.generation
      }
      if lookUps[key]?.answer === lookUp.answer {
        lookUps[key] = nil
        if found == nil { lookUps[key] = LookUp(grant: grant, failed: surroundings.clock()) }
      }
      lookUp.answer.settle(.success(found))
    }
    return (try? await lookUp.answer.value()) ?? nil
  }
}
