import Crypto
import CryptoExtras

/// A signature algorithm of JSON Web Algorithms (RFC 7518, 3.1; RFC 8037, 3.1) that an issuer's public key can be used with.
///
/// `none` and the HMACs are missing on purpose: the first signs nothing, and with the others whoever knows the public key could sign, since the key
/// that verifies is the key that signs (RFC 8725, 2.1).
package enum JSONWebAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  /// With Ed25519 alone; Ed448 has no implementation here.
  case edDSA = "EdDSA"

  /// nil where the name is none of these; `Ed25519` is the newer name of what `EdDSA` means here (RFC 9864, 2.2).
  package init?(named name: String) { self.init(rawValue: name == "Ed25519" ? "EdDSA" : name) }

  /// The hash function of the algorithm, for `at_hash`; that of Ed25519 is SHA-512 (RFC 8032, 5.1).
  private enum Hash { case sha256, sha384, sha512 }

  private var hash: Hash {
    switch self {
    case .rs256, .ps256, .es256: .sha256
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .edDSA: .sha512
    }
  }

  /// The left half of a text's hash, as `at_hash` has it (OpenID Connect Core, 3.1.3.6).
  func leftHalf(ofHashOf text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let digest: [UInt8] =
      switch hash {
      case .sha256: Array(SHA256.hash(data: bytes))
      case .sha384: Array(SHA384.hash(data: bytes))
      case .sha512: Array(SHA512.hash(data: bytes))
      }
    return Array(digest.prefix(digest.count / 2))
  }

  /// Whether keys of this kind are what the algorithm works with; any other pairing is an attempt to have a key misused.
  func fits(_ key: JSONWebKey.Material) -> Bool {
    switch (self, key) {
    case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa), (.ps256, .rsa), (.ps384, .rsa), (.ps512, .rsa): true
    case (.es256, .p256), (.es384, .p384), (.edDSA, .ed25519): true
    default: false
    }
  }

  /// Whether the signature over `input` was made with the private half of `key`; false with a key that does not fit.
  func verifies(_ signature: [UInt8], over input: [UInt8], with key: JSONWebKey.Material) -> Bool {
    switch (self, key) {
    case (.rs256, .rsa(let key)): Self.rsa(key, signature, SHA256.hash(data: input), .insecurePKCS1v1_5)
    case (.rs384, .rsa(let key)): Self.rsa(key, signature, SHA384.hash(data: input), .insecurePKCS1v1_5)
    case (.rs512, .rsa(let key)): Self.rsa(key, signature, SHA512.hash(data: input), .insecurePKCS1v1_5)
    // The salt is as long as the hash (RFC 7518, 3.5), which is what this padding means.
    case (.ps256, .rsa(let key)): Self.rsa(key, signature, SHA256.hash(data: input), .PSS)
    case (.ps384, .rsa(let key)): Self.rsa(key, signature, SHA384.hash(data: input), .PSS)
    case (.ps512, .rsa(let key)): Self.rsa(key, signature, SHA512.hash(data: input), .PSS)
    case (.es256, .p256(let key)): Self.p256(key, signature, SHA256.hash(data: input))
    case (.es384, .p384(let key)): Self.p384(key, signature, SHA384.hash(data: input))
    case (.edDSA, .ed25519(let key)): key.isValidSignature(signature, for: input)
    default: false
    }
  }

  private static func rsa(
    _ key: _RSA.Signing.PublicKey, _ signature: [UInt8], _ digest: some Digest, _ padding: _RSA.Signing.Padding
  ) -> Bool {
    key.isValidSignature(_RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: padding)
  }

  /// R and S side by side, each as long as the curve's order (RFC 7518, 3.4); DER, which X.509 uses, is refused.
  private static func p256(_ key: P256.Signing.PublicKey, _ signature: [UInt8], _ digest: SHA256Digest) -> Bool {
    do {
      return key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: digest)
    } catch {
      return false
    }
  }

  private static func p384(_ key: P384.Signing.PublicKey, _ signature: [UInt8], _ digest: SHA384Digest) -> Bool {
    do {
      return key.isValidSignature(try P384.Signing.ECDSASignature(rawRepresentation: signature), for: digest)
    } catch {
      return false
    }
  }
}
