/// A request token that was approved with an OpenID sign-in, on its way to an access token (OpenID OAuth Extension 1.0, section 10).
struct ApprovedRequestToken: Sendable {
  let token: Secret
  let setup: AuthorizeSetup
  let surroundings: Surroundings

  /// Its secret is empty and there is no verifier: that it came with a signed answer to our own sign-in is what a verifier would prove.
  func exchange() async throws(OAuthFailure) -> TokenCredentials {
    guard let endpoint = setup.provider.oauth1.accessTokenEndpoint else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no access token endpoint", details: [.init("path", "/provider/accessTokenEndpoint")])
    }
    let manner = setup.provider.oauth1
    var request = HTTPRequest(
      method: manner.tokenRequestMethod.rawValue, url: endpoint, body: manner.tokenRequestMethod == .post ? .bytes([]) : .none)
    request.timeout = 30
    request.maxBytes = 1 << 20
    let signed = OAuth1Request(
      request, client: try client, token: OAuth1Token(token: token, secret: Secret("")),
      parameters: manner.accessTokenParameters.pairs.map { OAuth1Parameter($0.name, $0.value) },
      nonce: nonce, timestamp: Int64(surroundings.clock()))
    let toSend = try signed.signed()
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await surroundings.http.send(toSend)
    } catch {
      throw OAuthFailure(error)
    }
    return try TokenCredentials(response, sent: signed)
  }

  private var client: OAuth1Client {
    get throws(OAuthFailure) {
      let manner = setup.provider.oauth1
      return OAuth1Client(
        consumerKey: setup.client.id, consumerSecret: setup.client.secret ?? Secret(""),
        signatureMethod: manner.signatureMethod ?? .hmacSHA1,
        privateKey: try manner.privateKey.map { pem throws(OAuthFailure) in try RSAPrivateKey(pem: pem) })
    }
  }

  /// Letters and digits alone, which is all that some servers take.
  private var nonce: String {
    surroundings.random(12).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
