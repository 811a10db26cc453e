import Jansson

/// The client's private key for its own signatures. Prints as `…`.
package struct ClientKey: Sendable, Equatable, Confidential {
  package enum Material: Sendable, Equatable {
    /// PEM, or a JWK as text.
    case text(Secret)
    /// A command in the entry of an account that signs with a key which this process never sees.
    case command([String], of: String)
  }

  package var material: Material
  /// The key's ID at the server, the header `kid`. A JWK may name its own.
  package var id: String?
  /// The name of a `JSONWebAlgorithm`; nil for the usual one of the key.
  package var algorithm: String?

  package init(_ material: Material, id: String? = nil, algorithm: String? = nil) {
    (self.material, self.id, self.algorithm) = (material, id, algorithm)
  }

  /// The algorithm whose key is a secret, which the text then is; nil for a private key.
  package var secretAlgorithm: JSONWebAlgorithm? { algorithm.flatMap(JSONWebAlgorithm.init).flatMap { $0.needsSecret ? $0 : nil } }

  /// Reads the key of a grant.
  package init?(stored: JSON?) {
    guard let text = stored?["privateKey"]?.string else { return nil }
    self.init(.text(Secret(text)), id: stored?["keyId"]?.string, algorithm: stored?["signingAlgorithm"]?.string)
  }

  /// The key as a grant stores it; nil for a command, which only the configuration may name.
  package var stored: JSON? {
    guard case .text(let text) = material else { return nil }
    return ["privateKey": .string(text.value), "keyId": id.map(JSON.string), "signingAlgorithm": algorithm.map(JSON.string)]
  }
}

/// The signature algorithms of JSON Web Algorithms (RFC 7518, 3.1; RFC 8037, 3.1). `none` is left out, because it signs nothing.
package enum JSONWebAlgorithm: String, StringEnum {
  package static let schemaName: String? = "SigningAlgorithm"

  case rs256 = "RS256", rs384 = "RS384", rs512 = "RS512"
  case ps256 = "PS256", ps384 = "PS384", ps512 = "PS512"
  case es256 = "ES256", es384 = "ES384", es512 = "ES512"
  /// Ed25519 only; Ed448 is not implemented.
  case edDSA = "EdDSA"
  case hs256 = "HS256", hs384 = "HS384", hs512 = "HS512"

  /// Whether a secret signs and verifies. Such a signature fits no public key: an attacker could sign with an issuer's public key (RFC 8725, 2.1).
  package var needsSecret: Bool { [.hs256, .hs384, .hs512].contains(self) }

  /// The length of a signature in bytes; nil for RSA, where the key decides.
  package var signatureLength: Int? {
    switch self {
    case .hs256: 32
    case .hs384: 48
    case .es256, .edDSA, .hs512: 64
    case .es384: 96
    case .es512: 132
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: nil
    }
  }
}

extension Provider {
  /// Returns what signs the client's assertions (RFC 7523, 2.2); nil if it authenticates in another way. A client with a key and no secret
  /// authenticates by its key, whatever the description says of secrets.
  package func assertionKey(of client: Client) throws(OAuthFailure) -> ClientKey? {
    guard client.assertion == nil, token.requestSignature == nil else { return nil }
    switch token.clientAuthentication {
    case .clientSecretJwt:
      if let key = client.key, key.secretAlgorithm != nil { return key }
      if let secret = client.secret { return ClientKey(.text(secret), algorithm: JSONWebAlgorithm.hs256.rawValue) }
      throw .misconfigured("/clientSecret", "the client authenticates by an assertion that its secret signs, and it has no clientSecret")
    case .privateKeyJwt:
      if let key = client.key ?? client.keyOfCertificate { return key }
      throw .misconfigured("/privateKey", "the client authenticates by an assertion that its key signs, and it has no privateKey")
    case .tlsClientAuth, .selfSignedTlsClientAuth: return nil
    case .basic, .basicUnencoded, .basicWithClientId, .body, .none, .basicAlways, .probe: return client.secret == nil ? client.key : nil
    }
  }

  /// Returns the audience of an assertion for a request to `endpoint`. The issuer is the described one, or one whose metadata were checked.
  package func assertionAudience(at endpoint: String?) throws(OAuthFailure) -> String {
    switch assertion.assertionAudience {
    case "tokenEndpoint": if let endpoint { return endpoint }
    case "issuer": if let issuer, !IssuerTemplate(issuer).isForTenants { return issuer }
    case let uri: return uri
    }
    throw .misconfigured(
      "/provider/issuer",
      "the client's assertion is for the issuer, which is unknown: name the issuer in the provider's description, or set assertionAudience "
        + "to tokenEndpoint or to the URI that the server wants")
  }

  /// Whether what is signed for this provider is also for the other. An assertion for another server would be valid there.
  package func hasAssertions(of other: Provider) -> Bool {
    func audience(_ provider: Provider) -> String? { try? provider.assertionAudience(at: provider.tokenEndpoint) }
    return issuer == other.issuer && audience(self) == audience(other) && assertion.assertionPlacement == other.assertion.assertionPlacement
  }

  /// Whether each assertion that the client signs for this provider is for a server that `other` names, too. Both have the same endpoints.
  package func signsNothingElse(than other: Provider, by client: Client) -> Bool {
    if client.key == nil, (try? assertionKey(of: client)) == nil { return true }
    guard assertion.assertionPlacement == other.assertion.assertionPlacement else { return false }
    return switch assertion.assertionAudience {
    case "tokenEndpoint": true
    case "issuer": issuer == other.issuer
    case let uri: uri == other.assertion.assertionAudience
    }
  }

  /// Rejects a client that cannot authenticate, before the user signs in.
  package func checkAuthentication(of client: Client) throws(OAuthFailure) {
    try token.checkSecret(of: client)
    if try assertionKey(of: client) != nil { _ = try assertionAudience(at: tokenEndpoint) }
  }
}
