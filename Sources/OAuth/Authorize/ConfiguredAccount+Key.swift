import Jansson
import OAuthCore
import Store

/// The client's private key.
extension ConfiguredAccount {
  static let keyIdText = "The ID of that key at the server. It becomes the header `kid` of the client's assertions."
  static let algorithmText =
    "The algorithm of that key. Without it, RS256, ES256, ES384, ES512 or EdDSA applies, as the key's type wants. With HS256, HS384 or HS512, the "
    + "key is a secret: `privateKey`, or else `clientSecret`."

  mutating func readKey(_ fields: inout ObjectReader) throws(FieldError) {
    privateKey = try fields.source(
      "privateKey", of: SecretSource.Kind.key,
      "The client's private key, or its source: PEM (PKCS#8, PKCS#1 or SEC1) or a JWK. With `sign`, a command signs: it gets the bytes on "
        + "standard input and prints the signature, which for ECDSA is R and S concatenated. Beside a `clientSecret`, the secret "
        + "authenticates the client, unless `clientAuthentication` is `privateKeyJwt`. For OAuth 1.0a, an RSA key in PEM.")
    keyId = try fields.optional("keyId", Self.keyIdText)
    signingAlgorithm = try fields.optional("signingAlgorithm", Self.algorithmText)
    guard !fields.isDescribing, case .signer? = privateKey, signingAlgorithm == nil else { return }
    throw FieldError(fields.pointer("signingAlgorithm"), "is missing", ": a command that signs does not say which algorithm it uses")
  }

  /// Reads the credentials that the request wants: those of the configured client that it does not bring itself. `read` gets each source and its
  /// place in the entry.
  mutating func load(
    for input: AuthorizationInput, _ stored: Grant?, _ read: (_ source: SecretSource, _ member: String) async throws -> Secret
  ) async throws {
    guard decides(input, stored), input.clientId == nil || input.clientId == clientId else { return }
    let brought = input.credentials
    if brought.secret == nil, let clientSecret { loaded.secret = try await read(clientSecret, "clientSecret") }
    if privateKey == nil, signingAlgorithm?.needsSecret == true, let secret = loaded.secret {
      loaded.key = ClientKey(.text(secret), id: keyId, algorithm: signingAlgorithm?.rawValue)
    }
    if brought.key == nil, let privateKey {
      let material: ClientKey.Material
      if case .signer(let words) = privateKey {
        material = .command(words, of: place?.account ?? "")
      } else {
        material = .text(try await read(privateKey, "privateKey"))
      }
      loaded.key = ClientKey(material, id: keyId, algorithm: signingAlgorithm?.rawValue)
    }
    if brought.certificate == nil, let clientCertificate { loaded.certificate = try await clientCertificate.read(self, read) }
  }
}

extension AuthorizationInput {
  /// Reads the client's key, which a request has as text.
  package mutating func readKey(_ fields: inout ObjectReader) throws(FieldError) {
    let text: Secret? = try fields.optional(
      "privateKey", "The client's private key: PEM (PKCS#8, PKCS#1 or SEC1), or a JWK as a string. It authenticates the client (RFC 7523).")
    let id: String? = try fields.optional("keyId", ConfiguredAccount.keyIdText)
    let algorithm: JSONWebAlgorithm? = try fields.optional("signingAlgorithm", ConfiguredAccount.algorithmText)
    credentials.key = text.map { ClientKey(.text($0), id: id, algorithm: algorithm?.rawValue) }
    guard text == nil, !fields.isDescribing, id != nil || algorithm != nil else { return }
    throw FieldError(fields.pointer(id == nil ? "signingAlgorithm" : "keyId"), "needs a privateKey in the same request")
  }
}
