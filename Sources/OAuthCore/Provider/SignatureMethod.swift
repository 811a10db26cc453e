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
}
