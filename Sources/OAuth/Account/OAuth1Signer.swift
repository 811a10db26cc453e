/// Signs an account's requests, each with a nonce of its own and the time as the server has it (RFC 5849, 3.3).
struct OAuth1Signer: Sendable {
  let account: String
  let client: OAuth1Client
  private let surroundings: Surroundings

  /// A client that cannot sign as its provider wants it is `configurationInvalid`.
  init(account: String, client: Client, provider: Provider, surroundings: Surroundings) throws(OAuthFailure) {
    self.account = account
    self.client = try OAuth1Client(client, of: provider)
    self.surroundings = surroundings
  }

  /// A request that is ready to be signed, once.
  func draft(_ request: HTTPRequest, token: OAuth1Token?, parameters: [OAuth1Parameter] = []) -> OAuth1Request {
    OAuth1Request(request, client: client, token: token, parameters: parameters, nonce: nonce(), timestamp: timestamp)
  }

  /// 96 random bits in letters and digits alone: oauthlib's servers take no other characters, and 20 to 30 of them.
  func nonce() -> String {
    surroundings.random(12).map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }

  var timestamp: Int64 { Int64(surroundings.clock()) + surroundings.clockOffsets[account] }

  /// Whether the refusal blames the timestamp; then the next request has a better one.
  func learns(from problem: OAuth1Problem, _ response: HTTPResponse) -> Bool {
    surroundings.clockOffsets.learn(from: problem, response, account: account, now: Int64(surroundings.clock()))
  }
}

extension OAuth1Client {
  /// The client as its provider wants it to sign.
  init(_ client: Client, of provider: Provider) throws(OAuthFailure) {
    let manner = provider.oauth1
    let method = manner.signatureMethod ?? .hmacSHA1
    var key: RSAPrivateKey?
    if method.usesPrivateKey {
      guard let pem = manner.privateKey else {
        throw OAuthFailure(
          .configurationInvalid, "the signature method \(method.rawValue) needs a private key",
          details: [.init("path", "/provider/privateKey")])
      }
      key = try RSAPrivateKey(pem: pem)
    }
    self.init(
      consumerKey: client.id, consumerSecret: client.secret ?? Secret(""), signatureMethod: method, privateKey: key,
      placement: manner.signaturePlacement, bodyHash: manner.bodyHash, realm: manner.realm)
  }
}
