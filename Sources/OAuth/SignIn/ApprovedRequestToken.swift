import OAuthCore

/// A request token that was approved with an OpenID sign-in and is exchanged for an access token (OpenID OAuth Extension 1.0, section 10).
struct ApprovedRequestToken: Sendable {
  let token: Secret
  let plan: AuthorizationPlan
  let dependencies: Dependencies

  /// Exchanges the token with an empty secret and without a verifier.
  /// The signed response to this process's own sign-in proves what a verifier would prove.
  func exchange() async throws(OAuthFailure) -> TokenCredentials {
    guard let endpoint = plan.provider.oauth1.accessTokenEndpoint else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no access token endpoint", details: [.init("path", "/provider/accessTokenEndpoint")])
    }
    let options = plan.provider.oauth1
    var request = HTTPRequest(
      method: options.tokenRequestMethod.rawValue, url: endpoint, body: options.tokenRequestMethod == .post ? .bytes([]) : .none)
    request.timeout = 30
    request.maxBytes = 1 << 20
    let signer = try OAuth1Signer(
      account: plan.account, client: plan.client, provider: plan.provider, dependencies: dependencies)
    let signed = signer.draft(
      request, token: OAuth1Token(token: token, secret: Secret("")),
      parameters: options.accessTokenParameters.pairs.map { OAuth1Parameter($0.name, $0.value) })
    var toSend = try signed.signed()
    toSend.baseString = try signed.explanation().baseString
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await dependencies.http.send(toSend, to: plan.provider)
    } catch {
      throw OAuthFailure(error)
    }
    return try OAuth1Endpoints.explaining(signed) { () throws(OAuthFailure) in try TokenCredentials(response, sent: signed) }
  }
}
