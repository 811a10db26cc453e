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
    let signer = try OAuth1Signer(
      account: setup.account, client: setup.client, provider: setup.provider, surroundings: surroundings)
    let signed = signer.draft(
      request, token: OAuth1Token(token: token, secret: Secret("")),
      parameters: manner.accessTokenParameters.pairs.map { OAuth1Parameter($0.name, $0.value) })
    var toSend = try signed.signed()
    toSend.baseString = try signed.explanation().baseString
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await surroundings.http.send(toSend, to: setup.provider)
    } catch {
      throw OAuthFailure(error)
    }
    return try OAuth1Endpoints.explaining(signed) { () throws(OAuthFailure) in try TokenCredentials(response, sent: signed) }
  }
}
