extension Redaction {
  /// Adds the client's secret and Basic credentials, and the secrets in the provider's description.
  package init(_ secrets: [Secret] = [], client: Client? = nil, provider: Provider?) {
    var all = secrets + (provider?.writtenSecrets ?? [])
    if let client, let secret = client.secret {
      all += [secret, Secret(String(client.basicHeader.value.dropFirst("Basic ".count)))]
    }
    self.init(all)
  }
}
