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
    case ed25519(Curve25519.Signing.PublicKey)
  }

  /// Why a key of a key set is unusable. It is ignored and does not affect the other keys (RFC 7517, 5).
  package enum Unusable: Error, Sendable, Equatable {
    case notAnObject
    /// `kty`, `crv` or `alg` has an unsupported value, such as `oct` for shared secrets.
    case unknownType
    /// `use` or `key_ops` excludes verifying signatures.
    case otherPurpose
    /// The published key contains its private part, so it is compromised.
    case isPrivate
    /// A member is missing, invalid base64url, or has an impossible length.
    case malformed
    /// An RSA key below 2048 bits (RFC 7518, 3.3) or above `longestModulus`.
    case size
  }

  /// Bits. Verifying with a longer RSA key costs more than any issuer's security needs, and a key set may hold many.
  private static let longestModulus = 8192

  package let id: String?
  /// The only algorithm that the key may be used with; nil if the key has no `alg`.
  package let algorithm: JSONWebAlgorithm?
  /// The issuer that the key belongs to. Microsoft adds it to key sets shared by tenants, where a key must sign only for its own issuer.
  package let issuer: String?
  let material: Material

  package init(_ json: JSON) throws(Unusable) {
    guard case .object = json else { throw .notAnObject }
    if json["d"] != nil { throw .isPrivate }
    if let use = json["use"], use != "sig" { throw .otherPurpose }
    if let operations = json["key_ops"], operations.array?.contains("verify") != true { throw .otherPurpose }
    id = try Self.text(json["kid"])
    issuer = try Self.text(json["issuer"])
    algorithm = try Self.algorithm(json["alg"])
    material = try Self.material(json)
    if let algorithm, !algorithm.fits(material) { throw .malformed }
  }

  /// Returns whether this key can verify a signature with this algorithm.
  func mayBe(_ algorithm: JSONWebAlgorithm) -> Bool {
    algorithm.fits(material) && (self.algorithm == nil || self.algorithm == algorithm)
  }

  private static func text(_ json: JSON?) throws(Unusable) -> String? {
    guard let json else { return nil }
    guard let text = json.string else { throw .malformed }
    return text
  }

  private static func algorithm(_ json: JSON?) throws(Unusable) -> JSONWebAlgorithm? {
    guard let name = try text(json) else { return nil }
    guard let algorithm = JSONWebAlgorithm(named: name) else { throw .unknownType }
    return algorithm
  }

  private static func material(_ json: JSON) throws(Unusable) -> Material {
    switch (json["kty"]?.string, json["crv"]?.string) {
    case ("RSA", _): return .rsa(try rsa(modulus: try bytes(json["n"]), exponent: try bytes(json["e"])))
    case ("EC", "P-256"):
      let point = try point(json, coordinateLength: 32)
      do { return .p256(try P256.Signing.PublicKey(x963Representation: point)) } catch { throw .malformed }
    case ("EC", "P-384"):
      let point = try point(json, coordinateLength: 48)
      do { return .p384(try P384.Signing.PublicKey(x963Representation: point)) } catch { throw .malformed }
    case ("OKP", "Ed25519"):
      let key = try bytes(json["x"])
      do { return .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: key)) } catch { throw .malformed }
    default: throw .unknownType
    }
  }

  private static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(Unusable) -> _RSA.Signing.PublicKey {
    // Some servers send a leading zero byte. RFC 7518 (6.3.1.1) forbids it, but it is harmless.
    let modulus = Array(modulus.drop { $0 == 0 })
    let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    guard (2048...longestModulus).contains(bits) else { throw .size }
    do { return try _RSA.Signing.PublicKey(n: modulus, e: exponent) } catch { throw .malformed }
  }

  /// Returns the uncompressed point of X9.63. Both coordinates must have their full length (RFC 7518, 6.2.1.2).
  private static func point(_ json: JSON, coordinateLength: Int) throws(Unusable) -> [UInt8] {
    let x = try bytes(json["x"])
    let y = try bytes(json["y"])
    guard x.count == coordinateLength, y.count == coordinateLength else { throw .malformed }
    return [4] + x + y
  }

  private static func bytes(_ json: JSON?) throws(Unusable) -> [UInt8] {
    guard let text = json?.string, !text.isEmpty else { throw .malformed }
    do { return try Base64.decodeURL(text) } catch { throw .malformed }
  }
}
