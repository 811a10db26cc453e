import Jansson

/// The authorization request that the user's browser carries to the provider (RFC 6749, 4.1.1).
package struct AuthorizationRequest: Sendable {
  package var endpoint: String
  package var clientId: String
  package var redirectUri: String
  package var scopes: [String]
  package var state: Secret
  package var nonce: String?
  package var pkce: PKCE?
  /// The thumbprint of the key that the code is bound to (RFC 9449, 10).
  package var keyThumbprint: String?
  package var parameters: [(name: String, value: String)]
  package var options: AuthorizationOptions

  package init(
    endpoint: String, clientId: String, redirectUri: String, scopes: [String], state: Secret, nonce: String? = nil, pkce: PKCE? = nil,
    parameters: [(name: String, value: String)], options: AuthorizationOptions = AuthorizationOptions()
  ) {
    (self.endpoint, self.clientId, self.redirectUri, self.scopes, self.state) = (endpoint, clientId, redirectUri, scopes, state)
    (self.nonce, self.pkce, self.parameters, self.options) = (nonce, pkce, parameters, options)
  }

  /// The URL of the authorization page; nil when the endpoint is not a URL.
  package var url: String? { page(fields) }

  /// Returns the URL for a request that was pushed before: `requestUri` stands for its parameters (RFC 9126, 4).
  package func url(requestUri: String) -> String? { page(options.renamed([("client_id", clientId)]) + [("request_uri", requestUri)]) }

  private func page(_ query: [(String, String)]) -> String? {
    guard let endpoint = try? URLParts(endpoint) else { return nil }
    let query = RequestFields.splittingResources(query)
    guard endpoint.fragment == nil else { return endpoint.appendingFragmentQuery(query).description }
    var page = endpoint.replacingQuery(query)
    page.fragment = options.authorizationFragment
    return page.description
  }

  /// All parameters. The configured and the caller's own come last. They replace the scopes, and none that protects the user.
  package var fields: [(String, String)] {
    var query = [("response_type", "code"), ("client_id", clientId), ("redirect_uri", redirectUri)]
    if !scopes.isEmpty, let parameter = options.scopeParameter {
      query.append((parameter, scopes.joined(separator: options.scopeSeparator)))
    }
    query.append((options.stateParameter, state.value))
    if let nonce { query.append(("nonce", nonce)) }
    if let pkce { query += [("code_challenge", pkce.challenge), ("code_challenge_method", "S256")] }
    if let keyThumbprint { query.append(("dpop_jkt", keyThumbprint)) }
    query = options.renamed(query).filter { name, _ in name != options.scopeParameter || !parameters.contains { $0.name == name } }
    return query + options.sendable(parameters).filter { extra in !query.contains { $0.0 == extra.name } }.map { ($0.name, $0.value) }
  }
}

extension AuthorizationRequest {
  /// PKCE (RFC 7636): proves that the client that redeems a code is the client that requested it. Uses S256 only.
  package struct PKCE: Sendable, Equatable {
    package let verifier: Secret
    package let challenge: String

    /// `challenge` must be the verifier's S256 challenge. Use `init(random:)` of Signatures, which makes both.
    package init(verifier: Secret, challenge: String) { (self.verifier, self.challenge) = (verifier, challenge) }
  }
}

extension AuthorizationRequest {
  /// The response at the redirect URI (RFC 6749, 4.1.2), after `state` has shown which sign-in it belongs to.
  package enum Response: Sendable {
    case code(Secret)
    case failure(OAuthFailure)

    /// Reads the redirect's parameters. An `iss` parameter must match `issuer` (RFC 9207, 2.4).
    ///
    /// `issuer` may contain a {name} if every tenant is an issuer. Without one, `iss` must have the origin of `page`, the authorization endpoint.
    package init(
      _ parameters: [RedirectParameter], issuer: String?, page: String, isIssuerRequired: Bool = false, codeParameter: String = "code",
      stateParameter: String = "state", errorNames: NamedValues<String> = .init()
    ) {
      func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
      let hidden = Redaction([value(codeParameter), value(stateParameter)].compactMap { $0.map(Secret.init) })
      if let iss = value("iss"), !Self.isExpected(iss, issuer, page) {
        // Any page can forge a redirect and choose this text, so the message quotes only its first 200 characters.
        let named = String(hidden.clean(iss).unicodeScalars.prefix(200))
        let wanted = issuer ?? Provider.origin(page)
        self = .failure(.otherIssuer("the redirect", named, wanted))
      } else if let error = value("error"), !error.isEmpty {
        self = .failure(Self.failure(error, errorNames[error] ?? error, value("error_description"), value("error_uri"), hidden))
      } else if isIssuerRequired, value("iss") == nil {
        // `iss` protects codes. An error without `iss` is accepted, so that a denial ends the sign-in.
        self = .failure(.untrusted("the redirect names no issuer, although this provider always names it"))
      } else if parameters.count(where: { $0.name == codeParameter }) > 1 {
        self = .failure(.untrusted("the redirect has two codes"))
      } else if let code = value(codeParameter), !code.isEmpty {
        self = .code(Secret(code))
      } else {
        self = .failure(.untrusted("the redirect has neither a code nor an error"))
      }
    }

    private static func isExpected(_ iss: String, _ issuer: String?, _ page: String) -> Bool {
      if let issuer { return IssuerTemplate(issuer).mayName(iss) }
      guard let named = try? URLParts(iss), let asked = try? URLParts(page) else { return false }
      return named.origin == asked.origin
    }

    private static func failure(
      _ error: String, _ standard: String, _ description: String?, _ uri: String?, _ hidden: Redaction
    ) -> OAuthFailure {
      let shown = hidden.clean(error)
      var details: [JSON.Member] = [.init("error", .string(shown))]
      let description = description.flatMap { $0.isEmpty ? nil : hidden.clean($0) }
      if let description { details.append(.init("errorDescription", .string(description))) }
      if let page = hidden.errorPage(uri) { details.append(page) }
      let known = ServerError(rawValue: standard)
      if known == .accessDenied { return .denied(description, details) }
      return OAuthFailure(
        .authorizationServerError, "the authorization server rejected the sign-in: \(shown)\(hidden.sentence(description))",
        details: details, isRetryable: known?.isTransient == true)
    }
  }
}

extension AuthorizationRequest {
  /// Returns the request that the client sends straight to the provider before the user's browser opens (RFC 9126, 2). The browser's URL then contains
  /// no parameters that could be read or changed. Returns nil if the provider has no such endpoint.
  package func pushed(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    guard let endpoint = provider.pushedAuthorizationRequestEndpoint else { return nil }
    // The client authenticates as at the token endpoint, and those credentials may already contain the client id (RFC 9126, 2.1).
    let name = provider.request.renamed([("client_id", client.id)]).first?.0
    let way = provider.token.clientAuthentication
    let isNamed = client.secret == nil || client.assertion != nil || [.body, .basicWithClientId].contains(way) || way.needsCertificate
    return .form(endpoint, fields.filter { !isNamed || $0.0 != name }, provider, client)
  }

  /// The `request_uri`, and the seconds until it expires if the provider sends them (RFC 9126, 2.2).
  package struct Pushed: Sendable, Equatable {
    package let requestUri: String
    package let lifetime: Int?

    package init(
      _ response: HTTPResponse, _ provider: Provider, _ client: Client, hiding state: Secret? = nil
    ) throws(OAuthFailure) {
      let hidden = Redaction([state].compactMap(\.self), client: client, provider: provider)
      let parsed = AuthorizationServerResponse(response, hiding: hidden)
      if let failure = parsed.failure { throw failure }
      guard let uri = parsed["request_uri"]?.string, !uri.isEmpty, uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .untrusted("the response to the pushed authorization request has no request_uri")
      }
      (requestUri, lifetime) = (uri, parsed["expires_in"].flatMap(TokenExpiry.number).flatMap(Self.seconds))
    }

    /// Returns nil for an invalid lifetime. Caps it at a day, since a longer one makes no difference.
    private static func seconds(_ number: Double) -> Int? { number > 0 ? Int(min(number, 86_400)) : nil }
  }
}

/// The claims that a server demands of the next sign-in (OpenID Connect Core, 5.5), as Microsoft Entra does.
package enum DemandedClaims {
  /// In bytes.
  private static let longest = 4096

  /// Returns the claims as the text of a JSON object. A server sends an object, its text, or that text in base64, which a header can always carry.
  /// Returns nil for anything else, for longer claims, and for claims that quote a secret.
  package static func text(_ sent: JSON?, hiding hidden: Redaction) -> String? {
    var claims = sent
    if let text = sent?.string {
      let decoded = (try? Base64.decode(text)) ?? (try? Base64.decodeURL(text))
      claims = try? JSON.parse(decoded ?? Array(text.utf8))
    }
    guard case .object(let members)? = claims, !members.isEmpty else { return nil }
    let text = JSON.object(members).line
    return text.utf8.count <= longest && hidden.hide(in: text) == text ? text : nil
  }
}
