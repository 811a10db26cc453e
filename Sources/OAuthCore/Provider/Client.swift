/// What authenticates a client.
package struct ClientCredentials: Sendable, Equatable {
  package var secret: Secret?
  package var key: ClientKey?
  package var certificate: ClientCertificate?

  package init() {}

  package var isEmpty: Bool { self == Self() }

  /// Returns these credentials, and those of `other` in the place of missing ones.
  package func completed(by other: Self) -> Self {
    var completed = other
    if let secret { completed.secret = secret }
    if let key { completed.key = key }
    if let certificate { completed.certificate = certificate }
    return completed
  }
}

/// The client as it is registered with the provider (RFC 6749, 2).
package struct Client: Sendable, Equatable {
  package var id: String
  /// What a grant stores: the credentials of a request or of a registration.
  package var stored = ClientCredentials()
  /// What the configuration has. It comes first, and no grant stores it.
  package var configured = ClientCredentials() {
    didSet {
      if configured.secret != nil || configured.key != nil { isSecretConfigured = true }
      if configured.certificate != nil { isCertificateConfigured = true }
    }
  }
  /// Whether the client has used a secret or a key of the configuration. It then uses no request without one.
  package var isSecretConfigured = false
  /// Whether the client has used a certificate of the configuration. It then uses no request without one.
  package var isCertificateConfigured = false
  /// A signed statement that authenticates the client in one request (RFC 7523, 2.2). It is never stored.
  package var assertion: Secret?
  /// The last word of that statement's type.
  package var assertionType = "jwt-bearer"

  package init(id: String, secret: Secret? = nil) { (self.id, stored.secret) = (id, secret) }

  package var credentials: ClientCredentials { configured.completed(by: stored) }
  package var secret: Secret? { configured.secret ?? stored.secret }
  package var key: ClientKey? { configured.key ?? stored.key }
  package var certificate: ClientCertificate? { configured.certificate ?? stored.certificate }

  /// The key of the certificate, for a client that authenticates by assertions and names no other key.
  var keyOfCertificate: ClientKey? { certificate?.key.map { ClientKey(.text($0)) } }

  /// The certificate of the key that signs the client's assertions (RFC 7515, 4.1.8); nil if it is for TLS alone.
  package var certificateOfKey: ClientCertificate? { key == nil || key?.material == keyOfCertificate?.material ? certificate : nil }

  /// Whether the client can authenticate.
  package var hasCredential: Bool { assertion != nil || !credentials.isEmpty }

  /// Takes what the configuration has, or the whole client of a request.
  package mutating func take(_ other: Client) {
    if other.configured.isEmpty { return self = other }
    // A key has replaced the secret.
    if other.secret == nil, other.key != nil { stored.secret = nil }
    configured = other.configured
  }

  package static func == (one: Client, other: Client) -> Bool { one.id == other.id && one.credentials == other.credentials }

  /// RFC 7521, 4.2.
  private static let assertionTypes = "urn:ietf:params:oauth:client-assertion-type:"

  /// Puts the client's credentials into a request, under the provider's parameter names. Uses one method per request (RFC 6749, 2.3).
  package func authenticate(
    _ fields: inout [(String, String)], _ headers: inout [HTTPHeader], _ way: TokenOptions.ClientAuthentication,
    _ options: AuthorizationOptions = .init()
  ) {
    // What the description sets replaces the client's own.
    let given = fields.map(\.0)
    defer { fields = fields.prefix(given.count) + fields.dropFirst(given.count).filter { !given.contains($0.0) } }
    let named = id.isEmpty ? [] : options.renamed([("client_id", id)])
    if let assertion {
      fields += named + [("client_assertion_type", Self.assertionTypes + assertionType), ("client_assertion", assertion.value)]
      return
    }
    switch (way, secret) {
    case (.basicAlways, _), (.basic, _?), (.probe, _?): headers.append(basicHeader())
    case (.basicUnencoded, _?): headers.append(basicHeader(isEncoded: false))
    case (.basicWithClientId, _?):
      headers.append(basicHeader())
      fields += named
    case (.body, let secret?): fields += options.renamed([("client_id", id), ("client_secret", secret.value)])
    case (_, nil), (.none, _), (.privateKeyJwt, _), (.clientSecretJwt, _), (.tlsClientAuth, _), (.selfSignedTlsClientAuth, _):
      fields += named
    }
  }

  /// HTTP Basic credentials. Both parts are form-encoded first (RFC 6749, 2.3.1), which matters for special characters and which many servers do not
  /// undo.
  package func basicHeader(isEncoded: Bool = true) -> HTTPHeader {
    let pair = [id, secret?.value ?? ""].map { isEncoded ? FormEncoding.encode($0) : $0 }.joined(separator: ":")
    return HTTPHeader("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))
  }
}

extension Redaction {
  /// Also hides the client's secret and Basic credential, and the secrets in the provider's description.
  package init(_ secrets: [Secret], client: Client? = nil, provider: Provider?) {
    let description = provider?.source
    self.init {
      var all = secrets + (description?.writtenSecrets ?? [])
      if let assertion = client?.assertion { all.append(assertion) }
      guard let client, let secret = client.secret else { return all }
      return all + [secret] + [true, false].map { Secret(String(client.basicHeader(isEncoded: $0).value.dropFirst("Basic ".count))) }
    }
  }
}

extension TokenOptions {
  /// Rejects a client without a secret before the user signs in, since it could not sign.
  package func checkSecret(of client: Client) throws(OAuthFailure) {
    guard requestSignature == nil || client.secret != nil else {
      throw .misconfigured("/clientSecret", "token requests are signed with the client's secret, which is missing")
    }
    guard !clientAuthentication.needsCertificate || client.certificate != nil else {
      throw .misconfigured(
        "/clientCertificate", "the client authenticates by its certificate, which is missing: name it as clientCertificate")
    }
  }
}
