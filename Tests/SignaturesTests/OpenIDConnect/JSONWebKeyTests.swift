import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

/// RFC 7517: the members of a key set that are usable keys.
struct JSONWebKeyTests {
  private let keys: SigningKeys

  init() throws { keys = try SigningKeys.issuer.get() }

  private func isUsed(_ algorithm: JSONWebAlgorithm, _ changes: [JSON.Member]) throws -> Bool {
    JSONWebKey(try keys.published(for: algorithm, changes)) != nil
  }

  @Test(arguments: JSONWebAlgorithm.withKeys)
  func keysForVerifyingAreUsed(algorithm: JSONWebAlgorithm) throws {
    #expect(try isUsed(algorithm, []))
    let whole: [JSON.Member] = [
      .init("use", "sig"), .init("key_ops", ["sign", "verify"]), .init("alg", .string(algorithm.rawValue)), .init("kid", "1"),
      .init("x5t", "whatever"),
    ]
    #expect(try isUsed(algorithm, whole))
    #expect(try keys.key(for: algorithm, whole).id == "1")
  }

  @Test(arguments: JSONWebAlgorithm.withKeys)
  func keysForOtherPurposesAreIgnored(algorithm: JSONWebAlgorithm) throws {
    #expect(try !isUsed(algorithm, [.init("use", "enc")]))
    #expect(try !isUsed(algorithm, [.init("use", 1)]))
    #expect(try !isUsed(algorithm, [.init("key_ops", ["sign"])]))
    #expect(try !isUsed(algorithm, [.init("key_ops", [])]))
    #expect(try !isUsed(algorithm, [.init("key_ops", "verify")]))
    #expect(try !isUsed(algorithm, [.init("alg", "HS256")]))
    #expect(try !isUsed(algorithm, [.init("alg", "none")]))
    #expect(try !isUsed(algorithm, [.init("alg", algorithm == .es256 ? "RS256" : "ES256")]))
    #expect(try !isUsed(algorithm, [.init("kid", 7)]))
    #expect(try !isUsed(algorithm, [.init("kty", "oct")]))
    #expect(try !isUsed(algorithm, [.init("kty", .null)]))
  }

  /// A published private key is compromised.
  @Test(arguments: JSONWebAlgorithm.withKeys)
  func privateKeysAreNoProof(algorithm: JSONWebAlgorithm) throws {
    #expect(try !isUsed(algorithm, [.init("d", "AQAB")]))
  }

  @Test func malformedNumbersArePassedOver() throws {
    #expect(try !isUsed(.es256, [.init("x", "AA")]))
    #expect(try !isUsed(.es256, [.init("y", .null)]))
    // A point that is not on the curve.
    #expect(try !isUsed(.es256, [.init("x", .string(Base64.encodeURL([UInt8](repeating: 7, count: 32))))]))
    #expect(try !isUsed(.es384, [.init("crv", "P-521")]))
    #expect(try !isUsed(.es384, [.init("crv", "P-256")]))
    #expect(try !isUsed(.es256, [.init("crv", "secp256k1")]))
    #expect(try !isUsed(.edDSA, [.init("crv", "Ed448")]))
    #expect(try !isUsed(.edDSA, [.init("crv", "X25519")]))
    #expect(try !isUsed(.edDSA, [.init("x", "AAAA")]))
    #expect(try !isUsed(.edDSA, [.init("x", "")]))
    #expect(try !isUsed(.rs256, [.init("n", "AQ=")]))
    #expect(try !isUsed(.rs256, [.init("n", 5)]))
    #expect(try !isUsed(.rs256, [.init("e", .null)]))
    #expect(try !isUsed(.rs256, [.init("e", "AA")]))
  }

  /// RFC 7518, 3.3: 2048 bits or more.
  @Test func shortAndEndlessRSAKeysArePassedOver() throws {
    func modulus(_ bits: Int) -> JSON.Member {
      var bytes = [UInt8](repeating: 0xA5, count: bits / 8)
      bytes[bytes.count - 1] |= 1
      return .init("n", .string(Base64.encodeURL(bytes)))
    }
    #expect(try !isUsed(.rs256, [modulus(512)]))
    #expect(try !isUsed(.rs256, [modulus(1024)]))
    #expect(try !isUsed(.rs256, [modulus(2040)]))
    #expect(try isUsed(.rs256, [modulus(2048)]))
    #expect(try isUsed(.rs256, [modulus(4096)]))
    #expect(try !isUsed(.rs256, [modulus(1 << 17)]))
    // 2048 bits with a zero first bit count as 2047.
    var bytes = [UInt8](repeating: 0x25, count: 256)
    bytes[0] = 0x7F
    #expect(try !isUsed(.rs256, [.init("n", .string(Base64.encodeURL(bytes)))]))
    bytes[0] = 0x80
    // Some servers write a zero byte before the number.
    #expect(try isUsed(.rs256, [.init("n", .string(Base64.encodeURL([0] + bytes)))]))
  }

  @Test func badKeysDoNotSpoilTheOthers() throws {
    let good = try keys.published(for: .es256, [.init("kid", "good")])
    let bad: [JSON] = [["kty": "oct", "k": "AQAB"], 5, ["kty": "EC"], ["kty": "RSA", "d": "AQAB"]]
    let set: JSON = ["keys": .array(bad + [good])]
    let keySet = try JSONWebKeySet(set.text)
    #expect(keySet.keys.map(\.id) == ["good"])
  }

  @Test(arguments: ["", "[]", #"{"kees":[]}"#, #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#, "<html>", #"{"keys":[]"#])
  func invalidKeySets(text: String) {
    #expect(distrust { try JSONWebKeySet(Array(text.utf8)) } != nil)
  }

  /// A server that signs with clients' secrets has no keys to publish. Empty members are missing ones.
  @Test func emptyKeySetsAndMembers() throws {
    for text in ["{}", #"{"keys":[]}"#, #"{"keys":null}"#, #"{"keys":""}"#] { #expect(try JSONWebKeySet(Array(text.utf8)).keys.isEmpty) }
    let empty = ["d", "use", "key_ops", "alg", "kid", "issuer", "x5c"].map { JSON.Member($0, $0 == "kid" ? .null : "") }
    let key = try #require(try JSONWebKeySet(JSON.object([.init("keys", [try keys.published(for: .es256, empty)])]).text).keys.first)
    #expect(key.id == nil && key.algorithm == nil && key.issuer == nil)
  }

  @Test func theKeyIdChooses() throws {
    let stranger = try SigningKeys.stranger.get()
    let set = JSON.object([
      .init(
        "keys",
        .array([
          try keys.published(for: .es256, [.init("kid", "a")]), try stranger.published(for: .es256, [.init("kid", "b")]),
          try keys.published(for: .es384), try keys.published(for: .edDSA, [.init("kid", "c")]),
        ]))
    ])
    let keySet = try JSONWebKeySet(set.text)
    func candidates(_ algorithm: JSONWebAlgorithm, _ header: [JSON.Member]) throws -> [String?] {
      keySet.candidates(for: try JSONWebSignature(keys.token(goodClaims(), algorithm, header: header))).map(\.id)
    }
    #expect(try candidates(.es256, [.init("kid", "a")]) == ["a"])
    #expect(try candidates(.es256, [.init("kid", "b")]) == ["b"])
    // Without a kid, all keys of a matching type are tried.
    #expect(try candidates(.es256, []) == ["a", "b"])
    #expect(try candidates(.edDSA, []) == ["c"])
    // A kid that names a key of another type selects no key.
    #expect(try candidates(.es256, [.init("kid", "c")]) == [])
    #expect(try candidates(.es256, [.init("kid", "unknown")]) == [])
    // Keys without a kid are tried whatever the token's kid is.
    #expect(try candidates(.es384, [.init("kid", "unknown")]) == [nil])
  }
}
