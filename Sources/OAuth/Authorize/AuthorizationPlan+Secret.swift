import OAuthCore

extension AuthorizationPlan {
  /// Returns the client with its current secret if the stored one has been replaced; the server would reject the old one.
  ///
  /// Returns nil if the secret is unchanged, or if the grant's provider would send it to other origins.
  func client(newFor grant: Grant) throws(OAuthFailure) -> Client? {
    guard let secret = request.clientSecret, client.id == grant.client.id, secret != grant.client.secret else { return nil }
    return try grant.resolvedProvider.sendsSecretsNowhereElse(than: provider) ? client : nil
  }
}
