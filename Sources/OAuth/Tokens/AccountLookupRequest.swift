import Jansson
import OAuthCore

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

  private func answer(_ lookup: AccountLookup, _ grant: Grant, _ provider: Provider) async throws(OAuthFailure) -> JSON {
    var request = HTTPRequest(method: "GET", url: lookup.url, headers: [HTTPHeader("Accept", "application/json")])
    request.addHeaders(of: provider)
    // A header that needs the missing value is left out.
    request.headers.removeAll { !Template($0.value).names.isEmpty }
    request.timeout = Self.timeout
    let credential = RequestCredential(grant: grant, provider: provider, dependencies: dependencies)
    let signed = try credential.apply(to: request)
    let response: HTTPResponse
    do throws(HTTPFailure) { response = try await dependencies.http.send(signed, to: provider) } catch { throw OAuthFailure(error) }
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
