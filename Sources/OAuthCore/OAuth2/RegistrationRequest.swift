import Jansson

/// A request to the registration endpoint for a new client, for users without a client of their own (RFC 7591, 3.1).
package enum RegistrationRequest {
  /// A program on a user's machine cannot keep a secret (RFC 8252, 8.4).
  package static let defaultMethod = "none"
  package static let clientName = "oauth-stdio"
  /// A loopback redirect URI is for native clients only (OpenID Connect Dynamic Client Registration 1.0, 2).
  package static let applicationType = "native"

  /// Returns the HTTP request; nil if the provider has no such endpoint. `redirectUri` is nil for the device flow. The description's
  /// `registrationParameters` win.
  package static func httpRequest(_ provider: Provider, redirectUri: String?, scopes: [String]) -> HTTPRequest? {
    guard let endpoint = provider.registrationEndpoint else { return nil }
    let own = provider.request.registrationParameters
    let grants = redirectUri == nil ? provider.device.deviceGrantType : "authorization_code"
    var members = [
      JSON.Member("client_name", .string(clientName)), .init("application_type", .string(applicationType)),
      .init("grant_types", [.string(grants), "refresh_token"]), .init("token_endpoint_auth_method", .string(defaultMethod)),
    ]
    if let redirectUri { members += [.init("redirect_uris", [.string(redirectUri)]), .init("response_types", ["code"])] }
    if !scopes.isEmpty { members.append(.init("scope", .string(scopes.joined(separator: provider.request.scopeSeparator)))) }
    if provider.token.dpop { members.append(.init("dpop_bound_access_tokens", .bool(true))) }
    members = members.filter { own[$0.name] == nil } + own.pairs.map { .init($0.name, $0.value) }
    let isForm = provider.request.registrationFormat == .form
    let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
    var request = HTTPRequest(
      method: "POST", url: endpoint, headers: [HTTPHeader("Content-Type", type), HTTPHeader("Accept", "application/json")],
      body: .bytes(isForm ? Array(FormEncoding.encode(members.map(field)).utf8) : JSON.object(members).text))
    request.settle(provider)
    // A repeated request would register a second client.
    request.isSentOnce = true
    return request
  }

  /// Returns a member as Mastodon's form has it.
  private static func field(_ member: JSON.Member) -> (String, String) {
    let value = member.value.scalarText ?? (member.value.array ?? []).compactMap(\.scalarText).joined(separator: " ")
    return (member.name == "scope" ? "scopes" : member.name, value)
  }
}

extension RegistrationRequest {
  /// The client that was registered (RFC 7591, 3.2.1).
  package struct Response: Sendable {
    package let client: Client
    /// How the client authenticates. A missing member keeps its requested value, but a secret without a method means Basic (RFC 7591, 2).
    /// If the server also accepts credentials in the body, they are tried after a Basic that the response has not named.
    package let clientAuthentication: TokenOptions.ClientAuthentication
    /// When the secret expires, in Unix seconds; nil if it never expires.
    package let secretExpiresAt: Int?

    package init(_ response: HTTPResponse, _ provider: Provider) throws(OAuthFailure) {
      let parsed = AuthorizationServerResponse(response, hiding: Redaction([], provider: provider))
      if var failure = parsed.failure {
        failure.message = "the client could not be registered, so give a clientId: \(failure.message)"
        throw failure
      }
      guard let id = parsed["client_id"]?.scalarText, id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        throw .untrusted("the registration response has no client_id")
      }
      let secret = parsed["client_secret"]?.string.map(Secret.init)
      // RFC 6749, A.2 allows these characters.
      if let secret, !secret.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
        throw .untrusted("the registration response has a client_secret with invalid characters")
      }
      client = Client(id: id, secret: secret)
      // 0 means that the secret never expires (RFC 7591, 3.2.1).
      secretExpiresAt = if case .integer(let end)? = parsed["client_secret_expires_at"], end > 0, secret != nil { end } else { nil }
      let requested = provider.request.registrationParameters["token_endpoint_auth_method"]?.string ?? RegistrationRequest.defaultMethod
      let named = parsed["token_endpoint_auth_method"]?.string
      switch named ?? (secret == nil ? requested : "client_secret_basic") {
      case "none": clientAuthentication = TokenOptions.ClientAuthentication.none
      case "client_secret_post": clientAuthentication = .body
      case "client_secret_basic":
        clientAuthentication = named == nil && [.probe, .body].contains(provider.token.clientAuthentication) ? .probe : .basic
      case let other:
        throw .unsupported(
          "the provider wants an unsupported authentication of the registered client: \(Redaction([secret].compactMap(\.self)).clean(String(other.prefix(60))))"
        )
      }
    }
  }
}
