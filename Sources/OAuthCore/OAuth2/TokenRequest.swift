import Jansson

/// A request to the token endpoint (RFC 6749, 4.1.3, 4.4.2 and 6; RFC 8628, 3.4).
package enum TokenRequest: Sendable {
  /// `resource` is the value from the authorization request (RFC 8707, 2.2).
  case code(Secret, redirectUri: String, verifier: Secret?, resource: String? = nil)
  /// Polls with a device code (RFC 8628, 3.4).
  case device(Secret, userCode: String, resource: String? = nil)
  /// Requests a token for the client itself (RFC 6749, 4.4.2), with the caller's extra parameters, such as `audience`.
  case client(scopes: [String], parameters: NamedValues<String>)
  /// Exchanges a refresh token for a new access token; some providers exchange an access token.
  case refresh(Secret, redirectUri: String?, scopes: [String] = [])
  /// Exchanges the sign-in's access token for a long-lived one.
  case longLived(Secret)

  /// Returns the HTTP request; nil when the provider has no token endpoint.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    let options = provider.token
    switch self {
    case .code, .device, .client:
      let ours = Self.replacing(provider.request.renamed(fields(provider)), by: options.tokenParameters)
      return .token(provider.tokenEndpoint, options.tokenMethod, ours, provider, client, options.clientAuthentication)
    case .refresh:
      // `refreshTokenParameter` is already the provider's name, so it is not renamed again.
      let ours = Self.replacing(
        provider.request.renamed(fields(provider), except: { $0 != "refresh_token" && $0 == options.refreshTokenParameter }),
        by: options.refreshParameters)
      return .token(
        options.refreshEndpoint ?? provider.tokenEndpoint, options.refreshMethod ?? options.tokenMethod, ours, provider, client,
        options.refreshAuthentication ?? options.clientAuthentication)
    case .longLived:
      let exchange = provider.longLived
      guard exchange.longLivedGrantType != nil else { return nil }
      let ours = Self.replacing(
        provider.request.renamed(fields(provider), except: { $0 == exchange.longLivedTokenParameter }), by: exchange.longLivedParameters)
      return .token(
        exchange.longLivedEndpoint ?? provider.tokenEndpoint, exchange.longLivedMethod ?? options.tokenMethod, ours, provider, client,
        exchange.longLivedAuthentication ?? options.clientAuthentication)
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
      // The caller must not replace the grant type, the client or the scopes.
      let ours = ["grant_type", "client_id", "client_secret", provider.request.scopeParameter ?? "scope"]
      fields += parameters.pairs.filter { !ours.contains($0.name) }.map { ($0.name, $0.value) }
      if parameters["resource"] == nil, let resource = provider.request.resource { fields.append(("resource", resource)) }
      return fields
    case .refresh(let token, let redirectUri, let scopes):
      let options = provider.token
      var fields = options.refreshGrantType.isEmpty ? [] : [("grant_type", options.refreshGrantType)]
      if let parameter = options.refreshTokenParameter { fields.append((parameter, token.value)) }
      if options.sendsRedirectUriOnRefresh, let redirectUri { fields.append(("redirect_uri", redirectUri)) }
      if options.sendsScopesOnRefresh { fields += scopeField(scopes, provider) }
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

  /// Replaces fields by the description's parameters of the same name, since servers reject a repeated parameter (RFC 6749, 3.2).
  private static func replacing(_ fields: [(String, String)], by extra: NamedValues<String>) -> [(String, String)] {
    fields.filter { extra[$0.0] == nil } + extra.pairs.map { ($0.name, $0.value) }
  }
}

extension HTTPRequest {
  /// Returns a request to the token endpoint with the client's authentication; nil if the endpoint is not a URL.
  package static func token(
    _ endpoint: String?, _ method: TokenOptions.Method, _ fields: [(String, String)], _ provider: Provider, _ client: Client,
    _ authentication: TokenOptions.ClientAuthentication
  ) -> HTTPRequest? {
    guard let endpoint, let url = try? URLParts(endpoint) else { return nil }
    var fields = fields
    var headers: [HTTPHeader] = []
    // Servers reject two authentication methods in one request (RFC 6749, 2.3), and a signature is one.
    if provider.token.requestSignature == nil { client.authenticate(&fields, &headers, authentication, provider.request) }
    headers.insert(HTTPHeader("Accept", "application/json"), at: 0)
    var request = HTTPRequest(method: method.rawValue, url: endpoint)
    // A GET has no body (RFC 9110, 9.3.1).
    switch method == .get ? .query : provider.token.bodyFormat {
    case .query: request.url = url.appendingQuery(fields).description
    case .form:
      headers.insert(HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), at: 0)
      request.body = .bytes(Array(FormEncoding.encode(fields).utf8))
    case .json:
      headers.insert(HTTPHeader("Content-Type", "application/json"), at: 0)
      // Without fields, no body is sent.
      if !fields.isEmpty { request.body = .bytes(JSON.object(fields.map { JSON.Member($0.0, .string($0.1)) }).text) }
    }
    request.headers = headers
    request.settle(provider)
    return request
  }

  /// Returns a form request to another endpoint of the authorization server, with the client's authentication.
  package static func form(_ endpoint: String, _ fields: [(String, String)], _ provider: Provider, _ client: Client) -> HTTPRequest {
    var form = fields
    var headers = [HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Accept", "application/json")]
    client.authenticate(&form, &headers, provider.token.clientAuthentication, provider.request)
    var request = HTTPRequest(method: "POST", url: endpoint, headers: headers, body: .bytes(Array(FormEncoding.encode(form).utf8)))
    request.settle(provider)
    return request
  }

  /// Adds the settings of all requests to an authorization server: the provider's headers, and limits of time and size.
  package mutating func settle(_ provider: Provider) {
    add(provider.token.tokenHeaders)
    timeout = 30
    // A token response has a few kilobytes; one above a megabyte is not a token response.
    maxBytes = 1 << 20
  }
}
