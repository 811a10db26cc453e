import OAuthCore

/// Revokes an OAuth 1.0a token by a request that the token itself signs.
struct SignedRevocation: Sendable {
  package let grant: Grant
  let provider: Provider
  let dependencies: Dependencies

  func send() async throws(OAuthFailure) -> RevocationRequest.Outcome {
    guard let endpoint = provider.revocation.revocationEndpoint, grant.tokenSecret != nil else { return .unsupported }
    let endpoints = try OAuth1Endpoints(account: grant.account, client: grant.client, provider: provider, dependencies: dependencies)
    return try await endpoints.revoke(try grant.signingToken(), at: endpoint)
  }
}
