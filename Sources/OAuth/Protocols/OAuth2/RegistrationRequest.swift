import Jansson

/// What the registration endpoint is asked: a client of one's own, for people who have none (RFC 7591, 3.1).
package struct RegistrationRequest: Sendable {
  /// Where a code comes to; nil where somebody types one elsewhere.
  package var redirectUri: String?
  package var scopes: [String] = []

  /// A program on a user's machine can keep no secret (RFC 8252, 8.4).
  static let defaultMethod = "none"

  /// The request as it is sent; nil where the provider has no such endpoint. What its description says in `registrationParameters` wins.
  package func httpRequest(_ provider: Provider) -> HTTPRequest? {
    guard let endpoint = provider.registrationEndpoint else { return nil }
    let own = provider.request.registrationParameters
    let grants = redirectUri == nil ? provider.device.deviceGrantType : "authorization_code"
    var members = [
      JSON.Member("client_name", "oauth-stdio"), .init("application_type", "native"),
      .init("grant_types", [.string(grants), "refresh_token"]),
      .init("token_endpoint_auth_method", .string(Self.defaultMethod)),
    ]
    if let redirectUri {
      members += [.init("redirect_uris", [.string(redirectUri)]), .init("response_types", ["code"])]
    }
    if !scopes.isEmpty { members.append(.init("scope", .string(scopes.joined(separator: provider.request.scopeSeparator)))) }
    members = members.filter { own[$0.name] == nil } + own.pairs.map { .init($0.name, $0.value) }
    var request = HTTPRequest(
      method: "POST", url: endpoint, headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json")],
      body: .bytes(JSON.object(members).text))
    request.settle(provider)
    // Two clients would be registered.
    request.isSentOnce = true
    return request
  }
}

/// The client that was registered (RFC 7591, 3.2.1).
package struct RegistrationResponse: Sendable {
  package let client: Client
  /// How it shows who it is. A member that the answer lacks keeps its requested value, but a secret without a method is for Basic (RFC 7591, 2).
  package let clientAuthentication: TokenManner.ClientAuthentication
  /// When the secret ends, in Unix seconds; nil if it does not.
  package let secretExpiresAt: Int?

  package init(_ response: HTTPResponse, _ provider: Provider) throws(OAuthFailure) {
    let answer = TokenAnswer(response, hiding: Redaction([], provider: provider))
    if var failure = answer.failure {
      failure.message = "no client could be registered, so one has to be given as clientId: \(failure.message)"
      throw failure
    }
    guard let id = answer["client_id"]?.string, !id.isEmpty, id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw .untrusted("the answer to the registration has no client_id")
    }
    let secret = answer["client_secret"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
    // What it may be made of (RFC 6749, A.2); another one could come back in another spelling, and would not be known again in a message.
    if let secret, !secret.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      throw .untrusted("the answer to the registration has a client_secret with other characters than a secret may have")
    }
    client = Client(id: id, secret: secret)
    // 0 is a secret that does not end (RFC 7591, 3.2.1).
    secretExpiresAt = if case .integer(let end)? = answer["client_secret_expires_at"], end > 0, secret != nil { end } else { nil }
    let requested = provider.request.registrationParameters["token_endpoint_auth_method"]?.string ?? RegistrationRequest.defaultMethod
    switch answer["token_endpoint_auth_method"]?.string ?? (secret == nil ? requested : "client_secret_basic") {
    case "none": clientAuthentication = TokenManner.ClientAuthentication.none
    case "client_secret_post": clientAuthentication = .body
    case "client_secret_basic":
      // The body is tried after Basic where the server takes it, too.
      clientAuthentication = [.probe, .body].contains(provider.token.clientAuthentication) ? .probe : .basic
    case let other:
      throw .unsupported(
        "the registered client would have to show who it is by \(Redaction([secret].compactMap(\.self)).clean(String(other.prefix(60))))")
    }
  }
}
