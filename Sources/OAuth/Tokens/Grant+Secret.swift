import OAuthCore

extension Grant {
  /// Returns this client's stored secret, unless `provider` would send it to a new origin.
  func secret(of clientId: String, for provider: Provider) throws(OAuthFailure) -> Secret? {
    guard client.id == clientId, let secret = client.secret else { return nil }
    return provider.sendsSecretsNowhereElse(than: try resolvedProvider) ? secret : nil
  }
}
