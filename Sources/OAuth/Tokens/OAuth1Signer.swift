import OAuthCore
import Signatures

/// Signs an account's requests, each with its own nonce and the server's time (RFC 5849, 3.3).
struct OAuth1Signer: Sendable {
  let client: OAuth1Client
  /// The host whose clock counts: all hosts of a provider share one.
  let host: String
  private let dependencies: Dependencies

  /// Throws `configurationInvalid` if the client cannot sign as the provider requires.
  init(account: String, client: Client, provider: Provider, dependencies: Dependencies) throws(OAuthFailure) {
    try client.check(of: account)
    let url = provider.oauth1.accessTokenEndpoint ?? provider.api.apiBase
    host = url.flatMap { try? URLParts($0).host } ?? account
    self.client = try OAuth1Client(client, of: provider)
    self.dependencies = dependencies
  }

  /// Returns a request that can be signed once.
  func draft(_ request: HTTPRequest, token: OAuth1Token?, parameters: [OAuth1Parameter] = []) -> OAuth1Request {
    OAuth1Request(request, client: client, token: token, parameters: parameters, nonce: nonce(), timestamp: timestamp)
  }

  /// Returns 96 random bits as letters and digits. Servers with oauthlib accept no other characters, and only 20 to 30 of them.
  func nonce() -> String { Hexadecimal.encode(dependencies.random(12)) }

  var timestamp: Int64 { dependencies.servers.time(of: host) }
}
