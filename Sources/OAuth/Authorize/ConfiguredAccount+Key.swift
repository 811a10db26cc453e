import Jansson
import OAuthCore
import Signatures
import Store

/// The client's private key.
extension ConfiguredAccount {
  static let keyIdText = "The ID of that key at the server. It becomes the header `kid` of the client's assertions."
  static let algorithmText = "The algorithm of that key. Without it, RS256, ES256, ES384 or EdDSA applies, as the key's type wants."

  /// A private key: the text, its source, or the command that signs with it.
  private enum KeySource: FieldValue {
    case source(SecretSource)
    case signer([String])

    static var schema: JSON {
      let words: JSON = ["type": "array", "items": ["type": "string"], "minItems": 1]
      let signer: JSON = ["type": "object", "properties": ["sign": words], "required": ["sign"], "additionalProperties": false]
      return ["anyOf": .array((SecretSource.schema["anyOf"]?.array ?? []) + [signer.named("SigningCommand")])]
    }

    static var placeholder: KeySource { .source(.placeholder) }

    static func read(_ json: JSON, at path: String) throws(FieldError) -> KeySource {
      guard let members = json.members, members.count == 1, members[0].name == "sign" else { return .source(try .read(json, at: path)) }
      let words = try [String].read(members[0].value, at: path + "/sign")
      guard !words.isEmpty else { throw FieldError(path + "/sign", "must not be empty") }
      return .signer(words)
    }

    func write(to writer: inout JSONWriter) { writer.null() }
  }

  mutating func readKey(_ fields: inout ObjectReader) throws(FieldError) {
    let source: KeySource? = try fields.optional(
      "privateKey",
      "The client's private key, or its source: PEM (PKCS#8, PKCS#1 or SEC1) or a JWK. With `sign`, a command signs: it gets the bytes on "
        + "standard input and prints the signature, which for ECDSA is R and S concatenated. For OAuth 1.0a, an RSA key in PEM.")
    switch source {
    case .source(let source)?: privateKey = source
    case .signer(let words)?: signer = words
    case nil: break
    }
    keyId = try fields.optional("keyId", Self.keyIdText)
    signingAlgorithm = try fields.optional("signingAlgorithm", Self.algorithmText)
    guard !fields.isDescribing, signer != nil, signingAlgorithm == nil else { return }
    throw FieldError(fields.pointer("signingAlgorithm"), "is missing", ": a command that signs does not say which algorithm it uses")
  }

  /// Returns the key that the request wants; nil if it has its own.
  func key(for input: AuthorizationInput, _ stored: Grant?) -> ClientKey? {
    let material = wanted(by: input, stored).signer.map(ClientKey.Material.command) ?? loaded.privateKey.map(ClientKey.Material.text)
    return material.map { ClientKey($0, id: keyId, algorithm: signingAlgorithm?.rawValue) }
  }
}

extension AuthorizationInput {
  /// Reads the client's key, which a request has as text.
  package mutating func readKey(_ fields: inout ObjectReader) throws(FieldError) {
    let text: Secret? = try fields.optional(
      "privateKey", "The client's private key: PEM (PKCS#8, PKCS#1 or SEC1), or a JWK as a string. It authenticates the client (RFC 7523).")
    let id: String? = try fields.optional("keyId", ConfiguredAccount.keyIdText)
    let algorithm: SigningAlgorithm? = try fields.optional("signingAlgorithm", ConfiguredAccount.algorithmText)
    privateKey = text.map { ClientKey(.text($0), id: id, algorithm: algorithm?.rawValue) }
  }
}

extension ClientKey {
  /// Rejects a key that cannot sign. A command is not asked.
  func check() throws(OAuthFailure) {
    if case .text(let text) = material { _ = try SigningKey(text, algorithm: algorithm) }
  }
}
