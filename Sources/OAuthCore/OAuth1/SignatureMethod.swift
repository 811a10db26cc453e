import Crypto
import CryptoExtras
import Jansson

/// A signature method by its name on the wire (RFC 5849 §3.4, plus HMAC and RSA with SHA-256 and SHA-512).
package enum SignatureMethod: String, StringEnum, Sendable {
  case hmacSHA1 = "HMAC-SHA1"
  case hmacSHA256 = "HMAC-SHA256"
  case hmacSHA512 = "HMAC-SHA512"
  case rsaSHA1 = "RSA-SHA1"
  case rsaSHA256 = "RSA-SHA256"
  case rsaSHA512 = "RSA-SHA512"
  case plaintext = "PLAINTEXT"

  /// Whether a private key signs; the consumer secret and the token secret are then unused (§3.4.3).
  package var usesPrivateKey: Bool {
    switch self {
    case .rsaSHA1, .rsaSHA256, .rsaSHA512: true
    case .hmacSHA1, .hmacSHA256, .hmacSHA512, .plaintext: false
    }
  }

  /// Returns the bytes' digest by the method's hash function. PLAINTEXT has none, so SHA-1 is used.
  package func digest(of bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .hmacSHA1, .rsaSHA1, .plaintext: Array(Insecure.SHA1.hash(data: bytes))
    case .hmacSHA256, .rsaSHA256: Array(SHA256.hash(data: bytes))
    case .hmacSHA512, .rsaSHA512: Array(SHA512.hash(data: bytes))
    }
  }

  /// Returns `oauth_signature` before encoding: base64 with padding, or the key itself with PLAINTEXT (§3.4.4).
  ///
  /// Throws `configurationInvalid` if the method needs another kind of key.
  func signature(of baseString: @autoclosure () -> [UInt8], key: SignatureMethod.Key) throws(OAuthFailure) -> String {
    switch (self, key) {
    case (.plaintext, .shared(let key)): String(decoding: key, as: UTF8.self)
    case (.hmacSHA1, .shared(let key)):
      Base64.encode(Array(HMAC<Insecure.SHA1>.authenticationCode(for: baseString(), using: SymmetricKey(data: key))))
    case (.hmacSHA256, .shared(let key)):
      Base64.encode(Array(HMAC<SHA256>.authenticationCode(for: baseString(), using: SymmetricKey(data: key))))
    case (.hmacSHA512, .shared(let key)):
      Base64.encode(Array(HMAC<SHA512>.authenticationCode(for: baseString(), using: SymmetricKey(data: key))))
    case (.rsaSHA1, .rsa(let key)): Base64.encode(try key.signature(Insecure.SHA1.hash(data: baseString())))
    case (.rsaSHA256, .rsa(let key)): Base64.encode(try key.signature(SHA256.hash(data: baseString())))
    case (.rsaSHA512, .rsa(let key)): Base64.encode(try key.signature(SHA512.hash(data: baseString())))
    case (_, .shared), (_, .rsa):
      throw OAuthFailure(
        .configurationInvalid, "the signature method \(rawValue) needs another kind of key",
        details: [.init("path", "/provider/privateKey")])
    }
  }
}

extension SignatureMethod {
  /// A key for signing: the two shared secrets, or the client's private key.
  enum Key: Sendable {
    case shared([UInt8])
    case rsa(RSAPrivateKey)

    /// Returns both encoded secrets joined by `&`; a missing one is empty (RFC 5849 §3.4.2).
    package static func shared(consumerSecret: Secret, tokenSecret: Secret?) -> Key {
      let encoded = [consumerSecret, tokenSecret].map { PercentEncoding.encode($0?.value ?? "") }
      return .shared(Array(encoded.joined(separator: "&").utf8))
    }
  }
}
