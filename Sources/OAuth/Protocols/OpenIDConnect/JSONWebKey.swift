import Crypto
import CryptoExtras
import Jansson

/// One public key of an issuer (RFC 7517, 4) that signatures can be verified with.
package struct JSONWebKey: Sendable {
  /// The key itself, as its type makes it.
  enum Material: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
  }

  /// Why a member of a key set is no key for us; such a key is passed over and does not spoil the others (RFC 7517, 5).
  package enum Unusable: Error, Sendable, Equatable {
    case notAnObject
    /// `kty`, `crv` or `alg` names what is not known here, `oct` with its shared secrets among it.
    case unknownType
    /// `use` or `key_ops` says that it is for something else than verifying signatures.
    case otherPurpose
    /// Whoever publishes a private key has lost it.
    case isPrivate
    /// A member is missing, is no strict base64url, or has an impossible length.
    case malformed
    /// An RSA key below 2048 bits (RFC 7518, 3.3), or above what is worth verifying with.
    case size
  }

  /// Bits; verifying with a longer RSA key costs more than any issuer's security needs, and a key set could hold hundreds.
  private static let longestModulus = 8192

  package let id: String?
  /// The one algorithm that the key may be used with; nil where it says nothing.
  package let algorithm: JSONWebAlgorithm?
  /// Whose tokens the key is for; Microsoft names it in the keys that serve many tenants, where a key for one kind of issuer must not sign for another.
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

  /// Whether it may have made a signature with this algorithm.
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
    // Some servers write a zero byte before the number, which RFC 7518 (6.3.1.1) forbids and which changes nothing.
    let modulus = Array(modulus.drop { $0 == 0 })
    let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    guard (2048...longestModulus).contains(bits) else { throw .size }
    do { return try _RSA.Signing.PublicKey(n: modulus, e: exponent) } catch { throw .malformed }
  }

  /// The point uncompressed, as X9.63 has it; both coordinates have their full length (RFC 7518, 6.2.1.2).
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
