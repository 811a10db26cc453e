import Crypto
import CryptoExtras
import Jansson
import OAuthCore

/// An issuer's public key for verifying signatures (RFC 7517, 4).
package struct JSONWebKey: Sendable {
  /// The key by type.
  package enum Material: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
  }

  package let id: String?
  /// The only algorithm that the key may be used with; nil if the key has no `alg`.
  package let algorithm: JSONWebAlgorithm?
  /// The issuer that the key belongs to. Microsoft adds it to key sets shared by tenants, where a key must sign only for its own issuer.
  package let issuer: String?
  let material: Material

  /// Returns nil for a key of another type or purpose, with a wrong member, or with its private part, which is compromised.
  package init?(_ json: JSON) {
    if json["d"] != nil || (json["use"] ?? "sig") != "sig" { return nil }
    if let operations = json["key_ops"], operations.array?.contains("verify") != true { return nil }
    guard let material = Self.material(json), ["kid", "issuer"].allSatisfy({ (json[$0] ?? "").string != nil }) else { return nil }
    (self.material, id, issuer) = (material, json["kid"]?.string, json["issuer"]?.string)
    algorithm = json["alg"]?.string.flatMap(JSONWebAlgorithm.init(named:))
    if json["alg"] != nil, algorithm?.fits(material) != true { return nil }
  }

  /// Returns whether this key can verify a signature with this algorithm.
  func mayBe(_ algorithm: JSONWebAlgorithm) -> Bool { algorithm.fits(material) && (self.algorithm == nil || self.algorithm == algorithm) }

  private static func material(_ json: JSON) -> Material? {
    func bytes(_ name: String) -> [UInt8] { json[name]?.string.flatMap { try? Base64.decodeURL($0) } ?? [] }
    // An uncompressed point of X9.63, whose coordinates have their full length (RFC 7518, 6.2.1.2).
    func point(_ length: Int) -> [UInt8] { ["x", "y"].reduce([4]) { bytes($1).count == length ? $0 + bytes($1) : [] } }
    return switch (json["kty"]?.string, json["crv"]?.string) {
    case ("RSA", _): rsa(modulus: bytes("n"), exponent: bytes("e")).map(Material.rsa)
    case ("EC", "P-256"): (try? P256.Signing.PublicKey(x963Representation: point(32))).map(Material.p256)
    case ("EC", "P-384"): (try? P384.Signing.PublicKey(x963Representation: point(48))).map(Material.p384)
    case ("EC", "P-521"): (try? P521.Signing.PublicKey(x963Representation: point(66))).map(Material.p521)
    case ("OKP", "Ed25519"): (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes("x"))).map(Material.ed25519)
    default: nil
    }
  }

  /// RFC 7518, 3.3 wants 2048 bits at least.
  private static func rsa(modulus: [UInt8], exponent: [UInt8]) -> _RSA.Signing.PublicKey? {
    // Some servers send a leading zero byte. RFC 7518 (6.3.1.1) forbids it, but it is harmless.
    let modulus = Array(modulus.drop { $0 == 0 })
    let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    return bits >= 2048 && !exponent.isEmpty ? try? _RSA.Signing.PublicKey(n: modulus, e: exponent) : nil
  }
}
