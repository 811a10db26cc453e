import Jansson

/// What the token endpoint is asked (RFC 6749, 4.1.3, 4.4.2 and 6; RFC 8628, 3.4).
package enum TokenRequest: Sendable {
  /// `resource` is what the authorization request named (RFC 8707, 2.2).
  case code(Secret, redirectUri: String, verifier: Secret?, resource: String? = nil)
  /// What a device code has bought (RFC 8628, 3.4).
  case device(Secret, userCode: String, resource: String? = nil)
  /// A token for the client itself (RFC 6749, 4.4.2), with extra parameters of the caller's, such as an `audience`.
  case client(scopes: [String], parameters: NamedValues<String>)
  /// What is exchanged for a new access token: a refresh token, or an access token where that is the provider's way.
  case refresh(Secret, redirectUri: String?, scopes: [String] = [])
  /// The access token of a sign-in, for one that lives long.
  case longLived(Secret)

  /// The request as it is sent; nil when the provider has no token endpoint.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    let manner = provider.token
    switch self {
    case .code, .device, .client:
      let ours = Self.replacing(provider.request.renamed(fields(provider)), by: manner.tokenParameters)
      return .token(provider.tokenEndpoint, manner.tokenMethod, ours, provider, client, manner.clientAuthentication)
    case .refresh:
      // Its token's name is the manner's own and is not renamed again.
      let ours = Self.replacing(
        provider.request.renamed(fields(provider), except: { $0 != "refresh_token" && $0 == manner.refreshTokenParameter }),
        by: manner.refreshParameters)
      return .token(
        manner.refreshEndpoint ?? provider.tokenEndpoint, manner.refreshMethod ?? manner.tokenMethod, ours, provider, client,
        manner.refreshAuthentication ?? manner.clientAuthentication)
    case .longLived:
      let exchange = provider.longLived
      guard exchange.longLivedGrantType != nil else { return nil }
      let ours = Self.replacing(
        provider.request.renamed(fields(provider), except: { $0 == exchange.longLivedTokenParameter }), by: exchange.longLivedParameters)
      return .token(
        exchange.longLivedEndpoint ?? provider.tokenEndpoint, exchange.longLivedMethod ?? manner.tokenMethod, ours, provider, client,
        exchange.longLivedAuthentication ?? manner.clientAuthentication)
    }
  }

  private func fields(_ provider: Provider) -> [(String, String)] {
    switch self {
    case .code(let code, let redirectUri, let verifier, let resource):
      var fields = [("grant_type", "authorization_code"), ("code", code.value)]
      if provider.token.sendsRedirectUriWithCode { fields.append(("redirect_uri", redirectUri)) }
      if let verifier { fields.append(("code_verifier", verifier.value)) }
      if let resource, provider.request.resourceIndicator == .on { fields.append(("resource", resource)) }
      return fields
    case .device(let code, let userCode, let resource):
      var fields = [("grant_type", provider.device.deviceGrantType), ("device_code", code.value)]
      if provider.device.sendsUserCode { fields.append(("user_code", userCode)) }
      if let resource, provider.request.resourceIndicator == .on { fields.append(("resource", resource)) }
      return fields
    case .client(let scopes, let parameters):
      var fields = [("grant_type", "client_credentials")] + scopeField(scopes, provider)
      // Neither a grant type nor a client is the caller's to name here: both are settled.
      let ours = ["grant_type", "client_id", "client_secret", provider.request.scopeParameter ?? "scope"]
      fields += parameters.pairs.filter { !ours.contains($0.name) }.map { ($0.name, $0.value) }
      if parameters["resource"] == nil, let resource = provider.request.resource { fields.append(("resource", resource)) }
      return fields
    case .refresh(let token, let redirectUri, let scopes):
      let manner = provider.token
      var fields = manner.refreshGrantType.isEmpty ? [] : [("grant_type", manner.refreshGrantType)]
      if let parameter = manner.refreshTokenParameter { fields.append((parameter, token.value)) }
      if manner.sendsRedirectUriOnRefresh, let redirectUri { fields.append(("redirect_uri", redirectUri)) }
      if manner.sendsScopesOnRefresh { fields += scopeField(scopes, provider) }
      if let resource = provider.request.resource { fields.append(("resource", resource)) }
      return fields
    case .longLived(let token):
      let exchange = provider.longLived
      return [("grant_type", exchange.longLivedGrantType ?? ""), (exchange.longLivedTokenParameter, token.value)]
    }
  }

  private func scopeField(_ scopes: [String], _ provider: Provider) -> [(String, String)] {
    guard !scopes.isEmpty else { return [] }
    return [(provider.request.scopeParameter ?? "scope", scopes.joined(separator: provider.request.scopeSeparator))]
  }

  /// A description's own parameters win over ours of the same name, since two of one name are refused (RFC 6749, 3.2).
  private static func replacing(_ fields: [(String, String)], by extra: NamedValues<String>) -> [(String, String)] {
    fields.filter { extra[$0.0] == nil } + extra.pairs.map { ($0.name, $0.value) }
  }
}

extension HTTPRequest {
  /// A request to the token endpoint in the provider's manner, with the client's authentication; nil where the endpoint is no URL.
  static func token(
    _ endpoint: String?, _ method: TokenManner.Method, _ fields: [(String, String)], _ provider: Provider, _ client: Client,
    _ authentication: TokenManner.ClientAuthentication?
  ) -> HTTPRequest? {
    guard let endpoint, let url = try? URLParts(endpoint) else { return nil }
    var fields = fields
    var headers: [HTTPHeader] = []
    // Two ways at once are refused (RFC 6749, 2.3), and a signature is one.
    if provider.token.requestSignature == nil { client.authenticate(&fields, &headers, authentication, provider.request) }
    headers.insert(HTTPHeader("Accept", "application/json"), at: 0)
    var request = HTTPRequest(method: method.rawValue, url: endpoint)
    // A GET has nothing but its query (RFC 9110, 9.3.1).
    switch method == .get ? .query : provider.token.bodyFormat {
    case .query: request.url = url.appendingQuery(fields).description
    case .form:
      headers.insert(HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), at: 0)
      request.body = .bytes(Array(FormEncoding.encode(fields).utf8))
    case .json:
      headers.insert(HTTPHeader("Content-Type", "application/json"), at: 0)
      // What says nothing is no body.
      if !fields.isEmpty { request.body = .bytes(JSON.object(fields.map { JSON.Member($0.0, .string($0.1)) }).text) }
    }
    request.headers = headers
    request.settle(provider)
    return request
  }

  /// A form to another of the authorization server's endpoints, with the client's authentication.
  static func form(_ endpoint: String, _ fields: [(String, String)], _ provider: Provider, _ client: Client) -> HTTPRequest {
    var form = fields
    var headers = [HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Accept", "application/json")]
    client.authenticate(&form, &headers, provider.token.clientAuthentication, provider.request)
    var request = HTTPRequest(method: "POST", url: endpoint, headers: headers, body: .bytes(Array(FormEncoding.encode(form).utf8)))
    request.settle(provider)
    return request
  }

  /// What all requests to an authorization server have: the provider's headers, and limits of time and size.
  mutating func settle(_ provider: Provider) {
    add(provider.token.tokenHeaders)
    timeout = 30
    // A token answer is a few kilobytes; a server that sends more than a megabyte sends something else.
    maxBytes = 1 << 20
  }
}
