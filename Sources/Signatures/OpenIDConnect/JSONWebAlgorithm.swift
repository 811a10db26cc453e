import Crypto
import CryptoExtras

/// A signature algorithm of JSON Web Algorithms for public keys (RFC 7518, 3.1; RFC 8037, 3.1).
///
/// `none` and the HMACs are left out on purpose. `none` signs nothing. An HMAC's key both signs and verifies, so an attacker could sign with an
/// issuer's public key (RFC 8725, 2.1). `IDTokenAlgorithm` has the HMAC whose key is the client's secret.
package enum JSONWebAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  /// Ed25519 only; Ed448 is not implemented.
  case edDSA = "EdDSA"

  /// Returns nil for an unknown name. `Ed25519` is the newer name of the only curve supported for `EdDSA` (RFC 9864, 2.2).
  package init?(named name: String) { self.init(rawValue: name == "Ed25519" ? "EdDSA" : name) }

  /// Returns the hash of the algorithm; Ed25519 uses SHA-512 (RFC 8032, 5.1).
  private func digest(of bytes: [UInt8]) -> any Digest {
    switch self {
    case .rs256, .ps256, .es256: SHA256.hash(data: bytes)
    case .rs384, .ps384, .es384: SHA384.hash(data: bytes)
    case .rs512, .ps512, .edDSA: SHA512.hash(data: bytes)
    }
  }

  /// Returns the left half of a text's hash for `at_hash` (OpenID Connect Core, 3.1.3.6).
  func leftHalf(ofHashOf text: String) -> [UInt8] {
    let digest = digest(of: Array(text.utf8)).map { $0 }
    return Array(digest.prefix(digest.count / 2))
  }

  /// Returns whether the algorithm works with keys of this kind. Any other pairing would misuse the key.
  func fits(_ key: JSONWebKey.Material) -> Bool {
    switch (self, key) {
    case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa), (.ps256, .rsa), (.ps384, .rsa), (.ps512, .rsa): true
    case (.es256, .p256), (.es384, .p384), (.edDSA, .ed25519): true
    default: false
    }
  }

  /// Returns whether the private key of `key` signed `input`; false if the key does not fit the algorithm.
  package func verifies(_ signature: [UInt8], over input: [UInt8], with key: JSONWebKey.Material) -> Bool {
    guard fits(key) else { return false }
    return switch key {
    case .rsa(let key): verifies(signature, digest(of: input), key)
    // The signature is R and S concatenated, each as long as the curve's order (RFC 7518, 3.4). DER, as in X.509, is rejected.
    case .p256(let key):
      (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: input) } ?? false
    case .p384(let key):
      (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: input) } ?? false
    case .ed25519(let key): key.isValidSignature(signature, for: input)
    }
  }

  private func verifies(_ signature: [UInt8], _ digest: some Digest, _ key: _RSA.Signing.PublicKey) -> Bool {
    // PSS' salt is as long as the hash, as RFC 7518, 3.5 requires.
    let padding: _RSA.Signing.Padding = [.ps256, .ps384, .ps512].contains(self) ? .PSS : .insecurePKCS1v1_5
    return key.isValidSignature(_RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: padding)
  }
}
