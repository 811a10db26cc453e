import Jansson

/// A request to the token endpoint (RFC 6749, 4.1.3, 4.4.2 and 6; RFC 8628, 3.4).
package enum TokenRequest: Sendable {
  /// `resource` is the value from the authorization request (RFC 8707, 2.2).
  case code(Secret, redirectUri: String, verifier: Secret?, resource: String? = nil)
  /// Polls with a device code (RFC 8628, 3.4).
  case device(Secret, userCode: String, resource: String? = nil)
  /// Requests a token for the client itself (RFC 6749, 4.4.2), with the caller's extra parameters, such as `audience`.
  /// `own` are the fields of another grant type than client credentials, with it.
  case client(scopes: [String], parameters: NamedValues<String>, own: [(name: String, value: String)] = [])
  /// Exchanges a refresh token for a new access token; some providers exchange an access token.
  /// With `asked`, the request is for another token than the login's own, and these parameters replace the usual ones.
  case refresh(Secret, redirectUri: String?, scopes: [String] = [], asked: [(name: String, value: String)] = [])
  /// Exchanges the sign-in's access token for a long-lived one.
  case longLived(Secret)

  /// Returns the HTTP request; nil when the provider has no token endpoint.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    let (options, exchange) = (provider.token, provider.longLived)
    var (fields, method, way) = (fields(provider), options.tokenMethod, options.clientAuthentication)
    switch self {
    case .client(_, _, let own) where provider.assertion.assertionPlacement == .header && own.contains { $0.name == "assertion" }:
      fields.removeAll { $0.0 == "grant_type" || $0.0 == "assertion" }
      var request = HTTPRequest.token(endpoint(provider), method, fields, provider, Client(id: ""), .none)
      let assertion = own.first { $0.name == "assertion" }?.value ?? ""
      request?.headers.append(HTTPHeader("Authorization", "Bearer \(assertion)"))
      return request
    case .code, .device, .client: fields = RequestFields.replacing(provider.request.renamed(fields), by: options.tokenParameters.pairs)
    case .refresh(_, _, _, let asked):
      // `refreshTokenParameter` is already the provider's name, so it is not renamed again.
      let renamed = provider.request.renamed(fields, except: { $0 != "refresh_token" && $0 == options.refreshTokenParameter })
      let own = options.refreshParameters.pairs.filter { pair in !asked.contains { $0.name == pair.name } }
      fields = RequestFields.replacing(renamed, by: own)
      (method, way) = (options.refreshMethod ?? method, options.refreshAuthentication ?? way)
    case .longLived:
      guard exchange.longLivedGrantType != nil else { return nil }
      fields = provider.request.renamed(fields, except: { $0 == exchange.longLivedTokenParameter })
      method = exchange.longLivedMethod ?? method
    }
    return .token(endpoint(provider), method, fields, provider, client, way)
  }

  /// The URL that the request goes to.
  package func endpoint(_ provider: Provider) -> String? {
    switch self {
    case .code, .device, .client: provider.tokenEndpoint
    case .refresh: provider.token.refreshEndpoint ?? provider.tokenEndpoint
    case .longLived: provider.longLived.longLivedEndpoint ?? provider.tokenEndpoint
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
    case .client(let scopes, let parameters, let own):
      var fields = own.isEmpty ? [("grant_type", provider.token.clientGrantType)] : own.map { ($0.name, $0.value) }
      fields += scopeField(scopes, provider)
      // They must not replace the grant type, the client or the scopes.
      let ours = ["grant_type", "client_id", "client_secret", provider.request.scopeParameter ?? "scope"] + own.map(\.name)
      fields += parameters.pairs.filter { !ours.contains($0.name) }.map { ($0.name, $0.value) }
      if parameters["resource"] == nil, let resource = provider.request.resource { fields.append(("resource", resource)) }
      return fields
    case .refresh(let token, let redirectUri, let scopes, let asked):
      let options = provider.token
      var fields = options.refreshGrantType.isEmpty ? [] : [("grant_type", options.refreshGrantType)]
      if let parameter = options.refreshTokenParameter { fields.append((parameter, token.value)) }
      if options.sendsRedirectUriOnRefresh, let redirectUri { fields.append(("redirect_uri", redirectUri)) }
      if options.sendsScopesOnRefresh { fields += scopeField(scopes, provider) }
      if let resource = provider.request.resource { fields.append(("resource", resource)) }
      return RequestFields.replacing(fields, by: asked)
    case .longLived(let token):
      let exchange = provider.longLived
      return [("grant_type", exchange.longLivedGrantType ?? ""), (exchange.longLivedTokenParameter, token.value)]
    }
  }

  private func scopeField(_ scopes: [String], _ provider: Provider) -> [(String, String)] {
    guard !scopes.isEmpty else { return [] }
    return [(provider.request.scopeParameter ?? "scope", scopes.joined(separator: provider.request.scopeSeparator))]
  }
}

/// The parameters of a request. Servers reject a repeated one (RFC 6749, 3.1 and 3.2).
enum RequestFields {
  /// Replaces fields by those of the same name in the description.
  static func replacing(_ fields: [(String, String)], by extra: [(name: String, value: String)]) -> [(String, String)] {
    fields.filter { name, _ in !extra.contains { $0.name == name } } + extra.map { ($0.name, $0.value) }
  }

  /// Splits several resources in one value, because each is a parameter (RFC 8707, 2). No URI has a blank.
  static func splittingResources(_ fields: [(String, String)]) -> [(String, String)] {
    fields.flatMap { name, value in name == "resource" ? value.split(separator: " ").map { (name, String($0)) } : [(name, value)] }
  }
}

extension HTTPRequest {
  /// Returns a request to the token endpoint with the client's authentication; nil if the endpoint is not a URL.
  package static func token(
    _ endpoint: String?, _ method: TokenOptions.Method, _ fields: [(String, String)], _ provider: Provider, _ client: Client,
    _ authentication: TokenOptions.ClientAuthentication
  ) -> HTTPRequest? {
    guard let endpoint = endpoint.map({ provider.endpoint($0, for: client) }), let url = try? URLParts(endpoint) else { return nil }
    var fields = fields
    var headers: [HTTPHeader] = []
    // Servers reject two authentication methods in one request (RFC 6749, 2.3), and a signature is one.
    // A request with an assertion may have no client (RFC 7523, 2.1).
    if provider.token.requestSignature == nil, !client.id.isEmpty || client.hasCredential {
      client.authenticate(&fields, &headers, authentication, provider.request)
    }
    headers.insert(HTTPHeader("Accept", "application/json"), at: 0)
    var request = HTTPRequest(method: method.rawValue, url: endpoint)
    // A GET has no body (RFC 9110, 9.3.1).
    switch method == .get ? .query : provider.token.bodyFormat {
    case .query: request.url = url.replacingQuery(RequestFields.splittingResources(fields)).description
    case .form:
      headers.insert(HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), at: 0)
      request.body = .bytes(Array(FormEncoding.encode(RequestFields.splittingResources(fields)).utf8))
    case .json:
      headers.insert(HTTPHeader("Content-Type", "application/json"), at: 0)
      // Without fields, no body is sent.
      if !fields.isEmpty { request.body = .bytes(JSON.object(fields.map { JSON.Member($0.0, .string($0.1)) }).text) }
    }
    request.headers = headers
    request.clientCertificate = client.certificate
    request.settle(provider)
    return request
  }

  /// Returns a form request to another endpoint of the authorization server, with the client's authentication.
  package static func form(_ endpoint: String, _ fields: [(String, String)], _ provider: Provider, _ client: Client) -> HTTPRequest {
    var (form, headers): ([(String, String)], [HTTPHeader]) = (fields, [])
    client.authenticate(&form, &headers, provider.token.clientAuthentication, provider.request)
    return .form(endpoint, form, headers: headers, provider, client)
  }

  static func form(
    _ endpoint: String, _ form: [(String, String)], headers: [HTTPHeader], _ provider: Provider, _ client: Client
  ) -> HTTPRequest {
    let url = provider.endpoint(endpoint, for: client)
    let own = [HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Accept", "application/json")]
    var request = HTTPRequest(method: "POST", url: url, headers: own + headers)
    request.body = .bytes(Array(FormEncoding.encode(RequestFields.splittingResources(form)).utf8))
    request.clientCertificate = client.certificate
    request.settle(provider)
    return request
  }

  /// Adds the settings of all requests to an authorization server: the provider's headers, and limits of time and size.
  package mutating func settle(_ provider: Provider) {
    add(provider.token.tokenHeaders)
    timeout = 30
    allowsCompression = false
    // A token response has a few kilobytes; one above a megabyte is not a token response.
    maxBytes = 1 << 20
  }
}
