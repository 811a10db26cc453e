import Jansson

/// What the token endpoint is asked (RFC 6749, 4.1.3 and 6).
package enum TokenRequest: Sendable {
  case code(Secret, redirectUri: String, verifier: Secret?)
  case refresh(Secret, redirectUri: String?)

  /// The request as it is sent; nil when the provider has no token endpoint.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    guard let endpoint = provider.tokenEndpoint else { return nil }
    var form: [(String, String)]
    switch self {
    case .code(let code, let redirectUri, let verifier):
      form = [("grant_type", "authorization_code"), ("code", code.value), ("redirect_uri", redirectUri)]
      if let verifier { form.append(("code_verifier", verifier.value)) }
      form += provider.token.tokenParameters.pairs.map { ($0.name, $0.value) }
    case .refresh(let token, let redirectUri):
      form = [("grant_type", "refresh_token"), ("refresh_token", token.value)]
      if provider.token.sendsRedirectUriOnRefresh, let redirectUri { form.append(("redirect_uri", redirectUri)) }
      form += provider.token.refreshParameters.pairs.map { ($0.name, $0.value) }
    }
    return .form(endpoint, form, provider, client)
  }
}

extension HTTPRequest {
  /// A form to one of the authorization server's endpoints, with the client's authentication.
  static func form(_ endpoint: String, _ fields: [(String, String)], _ provider: Provider, _ client: Client) -> HTTPRequest {
    var form = fields
    var headers = [HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Accept", "application/json")]
    client.authenticate(&form, &headers, provider.token.clientAuthentication)
    var request = HTTPRequest(method: "POST", url: endpoint, headers: headers, body: .bytes(Array(FormEncoding.encode(form).utf8)))
    request.add(provider.token.tokenHeaders)
    request.timeout = 30
    // A token answer is a few kilobytes; a server that sends more than a megabyte sends something else.
    request.maxBytes = 1 << 20
    return request
  }
}
