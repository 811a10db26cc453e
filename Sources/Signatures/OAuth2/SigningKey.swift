import Crypto
import CryptoExtras
import Jansson
import OAuthCore

/// A private key and the algorithm that it signs with, for the client's own tokens. Prints as `…`.
package struct SigningKey: Sendable, Confidential {
  enum Material: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)

    var publicPart: JSONWebKey.Material {
      switch self {
      case .rsa(let key): .rsa(key.publicKey)
      case .p256(let key): .p256(key.publicKey)
      case .p384(let key): .p384(key.publicKey)
      case .p521(let key): .p521(key.publicKey)
      case .ed25519(let key): .ed25519(key.publicKey)
      }
    }
  }

  let material: Material
  package let algorithm: JSONWebAlgorithm
  /// The `kid` of a key that came as a JWK.
  package let id: String?

  /// Without a name of an algorithm, the JWK's `alg` counts, else the usual algorithm of the key's type.
  package init(_ text: Secret, algorithm name: String? = nil) throws(OAuthFailure) {
    let found = try Self.read(text.value)
    let algorithm = (name ?? found.algorithm).map { JSONWebAlgorithm(named: $0) } ?? found.material.publicPart.usualAlgorithm
    guard let algorithm, algorithm.fits(found.material.publicPart) else {
      let usual = found.material.publicPart.usualAlgorithm.rawValue
      throw .misconfigured(
        "/privateKey", "the private key cannot sign with \((name ?? found.algorithm ?? "").plain): set signingAlgorithm to \(usual)")
    }
    (material, self.algorithm, id) = (found.material, algorithm, found.id)
  }

  private init(_ material: Material, _ algorithm: JSONWebAlgorithm) { (self.material, self.algorithm, id) = (material, algorithm, nil) }

  /// Returns a new key; nil only if the system has no randomness for it.
  package static func generated(algorithm: JSONWebAlgorithm) -> SigningKey? {
    switch algorithm {
    case .es256: SigningKey(.p256(.init()), algorithm)
    case .es384: SigningKey(.p384(.init()), algorithm)
    case .es512: SigningKey(.p521(.init()), algorithm)
    case .edDSA: SigningKey(.ed25519(.init()), algorithm)
    case .hs256, .hs384, .hs512: nil
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
      (try? _RSA.Signing.PrivateKey(keySize: .bits3072)).map { SigningKey(.rsa($0), algorithm) }
    }
  }

  /// Returns the signature as a JWS has it: R and S concatenated for ECDSA (RFC 7518, 3.4).
  package func sign(_ input: [UInt8]) throws(OAuthFailure) -> [UInt8] {
    do {
      return switch material {
      case .rsa(let key): try algorithm.signature(of: algorithm.digest(of: input), key)
      case .p256(let key): Array(try key.signature(for: input).rawRepresentation)
      case .p384(let key): Array(try key.signature(for: input).rawRepresentation)
      case .p521(let key): Array(try key.signature(for: input).rawRepresentation)
      case .ed25519(let key): Array(try key.signature(for: input))
      }
    } catch {
      // The library's error may quote the key.
      throw .misconfigured("/privateKey", "the private key did not sign")
    }
  }

  /// The public part as a JWK with only the members that its thumbprint covers, in their order there.
  package var publicKey: JSON { material.publicPart.json }

  /// The key's name by RFC 7638.
  package var thumbprint: String { Base64.encodeURL(Array(SHA256.hash(data: publicKey.text))) }

  /// The key in PKCS#8.
  package var pem: Secret {
    switch material {
    case .rsa(let key): Secret(key.pkcs8PEMRepresentation)
    case .p256(let key): Secret(key.pemRepresentation)
    case .p384(let key): Secret(key.pemRepresentation)
    case .p521(let key): Secret(key.pemRepresentation)
    case .ed25519(let key): Secret(key.pemRepresentation)
    }
  }

  package var publicPEM: String {
    switch material.publicPart {
    case .rsa(let key): key.pemRepresentation
    case .p256(let key): key.pemRepresentation
    case .p384(let key): key.pemRepresentation
    case .p521(let key): key.pemRepresentation
    case .ed25519(let key): key.pemRepresentation
    }
  }
}

extension JSONWebAlgorithm {
  fileprivate func signature(of digest: some Digest, _ key: _RSA.Signing.PrivateKey) throws -> [UInt8] {
    Array(try key.signature(for: digest, padding: padding).rawRepresentation)
  }
}

extension JSONWebKey.Material {
  var usualAlgorithm: JSONWebAlgorithm {
    switch self {
    case .rsa: .rs256
    case .p256: .es256
    case .p384: .es384
    case .p521: .es512
    case .ed25519: .edDSA
    }
  }

  /// The key as a JWK. The members are in alphabetical order (RFC 7638, 3.2).
  var json: JSON {
    func base64(_ bytes: some Sequence<UInt8>) -> JSON { .string(Base64.encodeURL(Array(bytes))) }
    func curve(_ name: String, _ point: [UInt8]) -> JSON {
      let half = point.count / 2
      return ["crv": .string(name), "kty": "EC", "x": base64(point[..<half]), "y": base64(point[half...])]
    }
    switch self {
    case .rsa(let key):
      let numbers = try? key.getKeyPrimitives()
      return ["e": base64(Array(numbers?.publicExponent ?? .init())), "kty": "RSA", "n": base64(Array(numbers?.modulus ?? .init()))]
    case .p256(let key): return curve("P-256", Array(key.rawRepresentation))
    case .p384(let key): return curve("P-384", Array(key.rawRepresentation))
    case .p521(let key): return curve("P-521", Array(key.rawRepresentation))
    case .ed25519(let key): return ["crv": "Ed25519", "kty": "OKP", "x": base64(Array(key.rawRepresentation))]
    }
  }
}
