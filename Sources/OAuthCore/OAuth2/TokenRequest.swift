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

extension TokenRequest {
  /// The token response (RFC 6749, 5.1). It is read leniently, but the access token must be present and fit into a header.
  package struct Response: Sendable {
    package var accessToken: Secret
    package var refreshToken: Secret?
    package var idToken: Secret?
    /// The scheme for `Authorization`. Any spelling of `bearer` becomes `Bearer`. Default: `Bearer`.
    package var tokenType: String
    package var issued = IssueTime(sent: Instant(seconds: 0))
    package var expiry: TokenExpiry
    package var refreshTokenExpiry: TokenExpiry
    /// The type of an exchanged token (RFC 8693, 2.2.1). Some servers leave it out.
    package var issuedTokenType: String?
    /// nil if the response has no `scope`, which means the requested scopes (RFC 6749, 5.1).
    package var scopes: [String]?
    /// Members of the response that are stored with the account.
    package var attributes = NamedValues<String>()
    /// The key that the tokens are bound to, if only the server's error has asked for one.
    package var dpopKey: Secret?
    /// How the client authenticated, if several methods were tried.
    package var clientAuthentication: TokenOptions.ClientAuthentication?

    /// The errors that a failure may quote from a response with status 2xx, where any other text may be a token. They are those of RFC 6749, RFC
    /// 8628, RFC 8707 and OpenID Connect, and of GitHub and Slack, whose errors have status 200.
    private static let errorNames: Set = [
      "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
      "access_denied", "server_error", "temporarily_unavailable", "authorization_pending", "slow_down", "expired_token",
      "invalid_target", "interaction_required", "login_required", "consent_required", "bad_verification_code",
      "incorrect_client_credentials", "redirect_uri_mismatch", "bad_refresh_token", "incorrect_device_code", "device_flow_disabled",
      "unverified_user_email", "invalid_refresh_token", "invalid_code", "code_already_used", "invalid_client_id", "bad_client_secret",
      "bad_redirect_uri", "token_revoked", "token_expired", "ratelimited",
    ]

    /// `hidden` holds the values that the request sent and that no error may quote. `names` are the provider's own names of errors.
    /// `isProven` says that the request had a proof of a key (RFC 9449, 5), to which the token must then be bound.
    package init(
      _ response: HTTPResponse, _ options: TokenResponseOptions = .init(), hiding hidden: Redaction = .none,
      errorsNamed names: [String] = [], isProven: Bool = false
    ) throws(OAuthFailure) {
      let parsed = AuthorizationServerResponse(response, options, hiding: hidden, shownErrors: Self.errorNames.union(names))
      if let failure = parsed.failure { throw failure }
      do throws(OAuthFailure) {
        try self.init(parsed, options, isProven: isProven)
      } catch {
        throw error.with(\.rotatedRefreshToken, Self.refreshToken(parsed))
      }
    }

    private init(_ response: AuthorizationServerResponse, _ options: TokenResponseOptions, isProven: Bool) throws(OAuthFailure) {
      guard let token = (response["access_token"] ?? response["token"])?.string else {
        throw response.missing(
          "access token", of: "token",
          advice: "if it has the token under another name, give that as tokenPath or memberNames in the provider's description")
      }
      guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw .untrusted("the access token has characters that are invalid in a header")
      }
      accessToken = Secret(token)
      refreshToken = Self.refreshToken(response)
      idToken = response["id_token"]?.string.map(Secret.init)
      guard let type = Self.scheme(response["token_type"]?.string, isProven ? .init() : options) else {
        throw .untrusted(
          "token_type of the token response is not the name of an authentication scheme: name the scheme as tokenType in the provider's description"
        )
      }
      tokenType = try Self.usable(type, isProven: isProven)
      func first(_ names: String...) -> JSON? { names.lazy.compactMap { response[$0] }.first }
      expiry = TokenExpiry(
        first("expires_in", "expire_in", "expires"),
        orAt: first("expires_at", "expires_on", "expiry", "access_token_expires_at"), options, usually: options.expiresDefault)
      refreshTokenExpiry = TokenExpiry(
        first("refresh_token_expires_in", "refresh_expires_in"), orAt: first("refresh_token_expires_at", "refresh_expires_at"), options,
        usually: nil)
      issuedTokenType = response["issued_token_type"]?.string
      scopes = first("scope", "scopes")?.scopes
      attributes = response.attributes
    }

    private static func refreshToken(_ response: AuthorizationServerResponse) -> Secret? {
      response["refresh_token"]?.string.map(Secret.init)
    }
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
