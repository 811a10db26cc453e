import Crypto
import CryptoExtras
import Jansson

/// How a request is signed (RFC 5849 §3.4, and the same three schemes over SHA-256 and SHA-512), by its name on the wire.
package enum SignatureMethod: String, FieldWord, Sendable {
  case hmacSHA1 = "HMAC-SHA1"
  case hmacSHA256 = "HMAC-SHA256"
  case hmacSHA512 = "HMAC-SHA512"
  case rsaSHA1 = "RSA-SHA1"
  case rsaSHA256 = "RSA-SHA256"
  case rsaSHA512 = "RSA-SHA512"
  case plaintext = "PLAINTEXT"

  /// Whether a private key signs, so that the consumer secret and the token secret have no part in it (§3.4.3).
  package var usesPrivateKey: Bool {
    switch self {
    case .rsaSHA1, .rsaSHA256, .rsaSHA512: true
    case .hmacSHA1, .hmacSHA256, .hmacSHA512, .plaintext: false
    }
  }

  /// The bytes' digest by the function that the method signs with; SHA-1 for PLAINTEXT, which has none of its own.
  func digest(of bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .hmacSHA1, .rsaSHA1, .plaintext: Array(Insecure.SHA1.hash(data: bytes))
    case .hmacSHA256, .rsaSHA256: Array(SHA256.hash(data: bytes))
    case .hmacSHA512, .rsaSHA512: Array(SHA512.hash(data: bytes))
    }
  }

  /// `oauth_signature` before it is encoded: base 64 with padding, or the key itself with PLAINTEXT (§3.4.4).
  ///
  /// `key` is `SignatureKey.shared`'s; a method that takes another kind of key than the one given is `configurationInvalid`.
  func signature(of baseString: @autoclosure () -> [UInt8], key: SignatureKey) throws(OAuthFailure) -> String {
    switch (self, key) {
    case (.plaintext, .shared(let key)): String(decoding: key, as: UTF8.self)
    case (.hmacSHA1, .shared(let key)): Base64.encode(KeyedHash<Insecure.SHA1>.code(for: baseString(), key: key))
    case (.hmacSHA256, .shared(let key)): Base64.encode(KeyedHash<SHA256>.code(for: baseString(), key: key))
    case (.hmacSHA512, .shared(let key)): Base64.encode(KeyedHash<SHA512>.code(for: baseString(), key: key))
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

/// What signs: the two shared secrets, or the client's private key.
enum SignatureKey: Sendable {
  case shared([UInt8])
  case rsa(RSAPrivateKey)

  /// Both secrets encoded and joined by `&`, an absent one being empty (RFC 5849 §3.4.2).
  static func shared(consumerSecret: Secret, tokenSecret: Secret?) -> SignatureKey {
    var key: [UInt8] = []
    key.reserveCapacity(128)
    EncodedParameters.appendEncoded(consumerSecret.value.utf8, to: &key)
    key.append(UInt8(ascii: "&"))
    if let tokenSecret { EncodedParameters.appendEncoded(tokenSecret.value.utf8, to: &key) }
    return .shared(key)
  }
}
