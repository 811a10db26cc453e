import Crypto

/// One side of a Diffie-Hellman exchange in OpenID's default group (OpenID Authentication 2.0, 8.1.2 and Appendix B): what an association's
/// key travels under where nothing else encrypts it.
package struct DiffieHellman: Sendable {
  /// 64 bytes: OpenID's group has 1024 bits, and what it protects are at most 256.
  package static let exponentBytes = 64

  private static let generator: [UInt8] = [2]

  /// Appendix B's number, in the base 64 that OpenID writes numbers in.
  static let defaultModulus =
    "ANz5OguIOXLsDhmYmsWizjEOHTdxfo2Vcbt2I3MYZuYe91ouJ4mLBX+YkcLiemOcPym2CBRYHNOyyjmG0mg3BVd9RcLn5S3IHHoXGHblzqdLFEi/368Y"
    + "go79JRnxTkXjgmY0rxlJ5bU1zIKaSDuKdiI+XUkKJX8Fvf8W8vsixYOr"

  private let exponent: [UInt8]
  private let modulus: OddModulus
  /// `openid.dh_consumer_public`: base 64 of the number as `btwoc` writes it.
  package let publicKey: String

  /// `random` is the secret exponent; nil where it is too short to be one.
  package init?(random: [UInt8]) {
    guard random.count >= 20, random.contains(where: { $0 != 0 }), let modulus = Self.modulus,
      let power = modulus.power(Self.generator, random)
    else { return nil }
    exponent = random
    self.modulus = modulus
    publicKey = Base64.encode(Self.btwoc(power))
  }

  private static var modulus: OddModulus? {
    guard let bytes = try? Base64.decode(defaultModulus) else { return nil }
    return OddModulus(bytes)
  }

  /// The shared number as `btwoc` writes it; nil where the other side's key is 0, 1, the last number or beyond: those give it away.
  func sharedNumber(_ otherKey: [UInt8]) -> [UInt8]? {
    guard modulus.isInside(otherKey), otherKey.first.map({ $0 < 0x80 }) == true else { return nil }
    return modulus.power(otherKey, exponent).map(Self.btwoc)
  }

  /// The key that `enc_mac_key` hides (8.2.3): the shared number's hash over it, bit by bit. nil where lengths do not fit.
  func macKey<Hash: HashFunction>(_: Hash.Type, encrypted: [UInt8], otherKey: [UInt8]) -> [UInt8]? {
    guard encrypted.count == Hash.Digest.byteCount, let number = sharedNumber(otherKey) else { return nil }
    return zip(Hash.hash(data: number), encrypted).map { $0 ^ $1 }
  }

  /// The shortest big-endian two's complement of a positive number (4.2).
  static func btwoc(_ bytes: [UInt8]) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    guard let first = digits.first else { return [0] }
    return first < 0x80 ? Array(digits) : [0] + digits
  }
}
