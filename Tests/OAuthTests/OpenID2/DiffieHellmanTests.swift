import Crypto
import Testing

@testable import OAuth

/// Expected values by Python's `pow` and hashlib.
@Suite struct DiffieHellmanTests {
  @Test(arguments: [
    ("07", "01", "0c5c7fd0a6a3a450", "1"), ("0d", "02", "0c", "1"), ("03", "02", "03", "2"),
    ("d23f0824128b2f33", "1818e811892f902b", "0ed904759531985d", "189d3c0541369ea1"),
    ("01e81e74ef5e8e25d95", "", "05", "0"),
    ("4790eedb6cad4a268d116ece1738f7d9", "1c4c68c8f9ebdacc0cb1e29c658cda14", "8e", "2b02b62638d82692c9e5cb950376a787"),
    ("eb4cb2424a23d5962217beaddbc496cb", "922766581e27a1c08a6a63ec24ede6a4", "d0eda82f8f6d0558", "9f6d0f079474a3da55421bb8c2de380c"),
    (
      "ffffffffffffffffffffffffffffffffffffffffffffffff", "fffffffffffffffffffffffffffffffffffffffffffffffe", "03",
      "fffffffffffffffffffffffffffffffffffffffffffffffe"
    ),
  ])
  func powers(modulus: String, base: String, exponent: String, expected: String) throws {
    let modulus = try #require(OddModulus([UInt8](hexDigits: modulus)))
    let power = try #require(modulus.power([UInt8](hexDigits: base), [UInt8](hexDigits: exponent)))
    #expect(DiffieHellman.btwoc(power) == DiffieHellman.btwoc([UInt8](hexDigits: expected.count % 2 == 1 ? "0" + expected : expected)))
  }

  @Test func moduliAndBasesThatAreNone() throws {
    #expect(OddModulus([]) == nil && OddModulus([0]) == nil && OddModulus([1]) == nil && OddModulus([8]) == nil)
    #expect(OddModulus([UInt8](repeating: 0xFF, count: 513)) == nil)
    let seven = try #require(OddModulus([0, 7]))
    #expect(seven.power([7], [1]) == nil && seven.power([9], [1]) == nil && seven.power([1, 0, 0, 0, 0, 0, 0, 0, 0], [1]) == nil)
    #expect(![0, 1, 6, 7, 8].contains { seven.isInside([$0]) } && [2, 3, 4, 5].allSatisfy { seven.isInside([0, $0]) })
  }

  /// Fermat's little theorem holds for OpenID's modulus, which is prime.
  @Test func defaultModulus() throws {
    let bytes = try Base64.decode(DiffieHellman.defaultModulus)
    let modulus = try #require(OddModulus(bytes))
    #expect(modulus.bits == 1024 && bytes.first == 0)
    var exponent = bytes
    exponent[exponent.count - 1] -= 1
    #expect(modulus.power([2], exponent).map(DiffieHellman.btwoc) == [1])
  }

  private let secret = [UInt8](1...64)
  private let publicKey =
    "AKxaPinX2dSMyavI5Xb0mezBDBI+SkQ/smAw4LX9MGKQR4/zDprKdesq2gJBnTWa83MRdst8edFAerYgsgKlyBLBXDH41FkrjGZdI6t/foi47EAC68YR"
    + "Hiuht/QguNKCn3MkMkVskxBhDdFp1LuNydeLY+WxXZjTZ1002pLpX+wK"
  private let otherKey =
    "AKrIEuBqkKH2HTryiFzC+hjho+5zQcT4jWDyTkMaSBcGprG97ub/om9TEbSTWe9da9BnytOZF8aJw4NdlwPPmaH2y3LoSl2EQ4XPgh42+u9KEW7UYbI5"
    + "b8DGsfGEqseUQlnOP5dkJFas9o/4hQK0MWqXv81SLjZ1ugo5ardKeAkz"
  private let shared =
    "Enavpb0ds9ZGg7Tpmh4eX55pPysoWjfU/bmxzjIvszZVZ+JI8sO5Wh0/wyARfLcumCzDJk58nYQ7VKv0UVh9tEbX3wlEpZZg4MP79q5b8Pc6BN00CkOO"
    + "d0AYm8CaSGaOUTUa0tPaaFt0ZJzW1FqOQZipwVpcEAO/FTJLqRND3pY="

  @Test func bothSidesAgree() throws {
    let ours = try #require(DiffieHellman(random: secret))
    #expect(ours.publicKey == publicKey)
    #expect(ours.sharedNumber(try Base64.decode(otherKey)).map(Base64.encode) == shared)
    let other = try #require(DiffieHellman(random: (0..<64).map { UInt8(200 - $0) }))
    #expect(other.publicKey == otherKey)
    #expect(other.sharedNumber(try Base64.decode(publicKey)).map(Base64.encode) == shared)
  }

  @Test func macKeys() throws {
    let exchange = try #require(DiffieHellman(random: secret))
    let other = try Base64.decode(otherKey)
    let sha1 = try Base64.decode("AepIoaV2eqtCudiT5OqFp/jeYbs=")
    let sha256 = try Base64.decode("IK2MrBX+JmC03fKRV658ihS6Cdyx0x8l1VkpyfduusI=")
    #expect(exchange.macKey(Insecure.SHA1.self, encrypted: sha1, otherKey: other) == [UInt8](0..<20))
    #expect(exchange.macKey(SHA256.self, encrypted: sha256, otherKey: other) == [UInt8](0..<32))
    #expect(exchange.macKey(SHA256.self, encrypted: sha1, otherKey: other) == nil)
    #expect(exchange.macKey(Insecure.SHA1.self, encrypted: Array(sha1.dropLast()), otherKey: other) == nil)
  }

  /// 0, 1 and the modulus less one make the shared number known to everybody; a negative number is none.
  @Test func keysThatGiveTheSecretAway() throws {
    let exchange = try #require(DiffieHellman(random: secret))
    let modulus = try Base64.decode(DiffieHellman.defaultModulus)
    var last = modulus
    last[last.count - 1] -= 1
    for key in [[], [0], [1], [0, 1], last, modulus, [0x80, 1], [UInt8](repeating: 0x7F, count: 129)] {
      #expect(exchange.sharedNumber(key) == nil)
    }
    #expect(exchange.sharedNumber([2]) != nil)
  }

  @Test func exponents() {
    #expect(DiffieHellman(random: [UInt8](repeating: 0, count: 64)) == nil)
    #expect(DiffieHellman(random: [UInt8](1...19)) == nil)
  }

  /// The specification's own examples (4.2).
  @Test func btwoc() {
    #expect(DiffieHellman.btwoc([0]) == [0] && DiffieHellman.btwoc([]) == [0] && DiffieHellman.btwoc([0, 127]) == [127])
    #expect(DiffieHellman.btwoc([128]) == [0, 128] && DiffieHellman.btwoc([255]) == [0, 255])
    #expect(DiffieHellman.btwoc([0x80, 0]) == [0, 0x80, 0])
  }
}
