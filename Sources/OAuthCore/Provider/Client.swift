/// The client as it is registered with the provider (RFC 6749, 2).
package struct Client: Sendable, Equatable {
  package var id: String
  /// The secret that a grant stores: that of a request, of a registration, or of a sign-in with an earlier version.
  package private(set) var storedSecret: Secret?
  /// The secret as the configuration has it. It comes first, and no grant stores it.
  package var configuredSecret: Secret? { didSet { if configuredSecret != nil { isSecretConfigured = true } } }
  /// Whether the client has used a secret of the configuration. It then uses no request without a secret.
  package var isSecretConfigured = false

  package init(id: String, secret: Secret? = nil) {
    self.id = id
    storedSecret = secret
  }

  package var secret: Secret? {
    get { configuredSecret ?? storedSecret }
    set { (storedSecret, configuredSecret) = (newValue, nil) }
  }

  package static func == (one: Client, other: Client) -> Bool { one.id == other.id && one.secret == other.secret }

  /// Puts the client's credentials into a request, under the provider's parameter names. Uses one method per request (RFC 6749, 2.3).
  package func authenticate(
    _ fields: inout [(String, String)], _ headers: inout [HTTPHeader], _ way: TokenOptions.ClientAuthentication,
    _ options: AuthorizationOptions = .init()
  ) {
    switch (way, secret) {
    case (.basicAlways, _), (.basic, _?), (.probe, _?): headers.append(basicHeader)
    case (.body, let secret?): fields += options.renamed([("client_id", id), ("client_secret", secret.value)])
    case (_, nil), (.none, _): fields += options.renamed([("client_id", id)])
    }
  }

  /// HTTP Basic credentials. Both parts are form-encoded first (RFC 6749, 2.3.1), which matters for special characters and which many clients omit.
  var basicHeader: HTTPHeader {
    let pair = FormEncoding.encode(id) + ":" + FormEncoding.encode(secret?.value ?? "")
    return HTTPHeader("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
  }
}
