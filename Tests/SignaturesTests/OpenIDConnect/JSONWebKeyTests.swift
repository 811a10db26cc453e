import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

/// RFC 7517: the members of a key set that are usable keys.
struct JSONWebKeyTests {
  private let keys: SigningKeys

  init() throws { keys = try SigningKeys.issuer.get() }

  private func why(_ algorithm: JSONWebAlgorithm, _ changes: [JSON.Member]) throws -> JSONWebKey.Unusable? {
    let json = try keys.published(for: algorithm, changes)
    do throws(JSONWebKey.Unusable) {
      _ = try JSONWebKey(json)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: JSONWebAlgorithm.allCases)
  func keysForVerifyingAreUsed(algorithm: JSONWebAlgorithm) throws {
    #expect(try why(algorithm, []) == nil)
    let whole: [JSON.Member] = [
      .init("use", "sig"), .init("key_ops", ["sign", "verify"]), .init("alg", .string(algorithm.rawValue)), .init("kid", "1"),
      .init("x5t", "whatever"),
    ]
    #expect(try why(algorithm, whole) == nil)
    #expect(try keys.key(for: algorithm, whole).id == "1")
  }

  @Test(arguments: JSONWebAlgorithm.allCases)
  func keysForOtherPurposesAreIgnored(algorithm: JSONWebAlgorithm) throws {
    #expect(try why(algorithm, [.init("use", "enc")]) == .otherPurpose)
    #expect(try why(algorithm, [.init("use", 1)]) == .otherPurpose)
    #expect(try why(algorithm, [.init("key_ops", ["sign"])]) == .otherPurpose)
    #expect(try why(algorithm, [.init("key_ops", [])]) == .otherPurpose)
    #expect(try why(algorithm, [.init("key_ops", "verify")]) == .otherPurpose)
    #expect(try why(algorithm, [.init("alg", "HS256")]) == .unknownType)
    #expect(try why(algorithm, [.init("alg", "none")]) == .unknownType)
    #expect(try why(algorithm, [.init("alg", algorithm == .es256 ? "RS256" : "ES256")]) == .malformed)
    #expect(try why(algorithm, [.init("kid", 7)]) == .malformed)
    #expect(try why(algorithm, [.init("kty", "oct")]) == .unknownType)
    #expect(try why(algorithm, [.init("kty", .null)]) == .unknownType)
  }

  /// A published private key is compromised.
  @Test(arguments: JSONWebAlgorithm.allCases)
  func privateKeysAreNoProof(algorithm: JSONWebAlgorithm) throws {
    #expect(try why(algorithm, [.init("d", "AQAB")]) == .isPrivate)
  }

  @Test func malformedNumbersArePassedOver() throws {
    #expect(try why(.es256, [.init("x", "AA")]) == .malformed)
    #expect(try why(.es256, [.init("y", .null)]) == .malformed)
    // A point that is not on the curve.
    #expect(try why(.es256, [.init("x", .string(Base64.encodeURL([UInt8](repeating: 7, count: 32))))]) == .malformed)
    #expect(try why(.es384, [.init("crv", "P-521")]) == .unknownType)
    #expect(try why(.es384, [.init("crv", "P-256")]) == .malformed)
    #expect(try why(.es256, [.init("crv", "secp256k1")]) == .unknownType)
    #expect(try why(.edDSA, [.init("crv", "Ed448")]) == .unknownType)
    #expect(try why(.edDSA, [.init("crv", "X25519")]) == .unknownType)
    #expect(try why(.edDSA, [.init("x", "AAAA")]) == .malformed)
    #expect(try why(.edDSA, [.init("x", "")]) == .malformed)
    #expect(try why(.rs256, [.init("n", "AQ=")]) == .malformed)
    #expect(try why(.rs256, [.init("n", 5)]) == .malformed)
    #expect(try why(.rs256, [.init("e", .null)]) == .malformed)
    #expect(try why(.rs256, [.init("e", "AA")]) == .malformed)
  }

  /// RFC 7518, 3.3: 2048 bits or more.
  @Test func shortAndEndlessRSAKeysArePassedOver() throws {
    func modulus(_ bits: Int) -> JSON.Member {
      var bytes = [UInt8](repeating: 0xA5, count: bits / 8)
      bytes[bytes.count - 1] |= 1
      return .init("n", .string(Base64.encodeURL(bytes)))
    }
    #expect(try why(.rs256, [modulus(512)]) == .size)
    #expect(try why(.rs256, [modulus(1024)]) == .size)
    #expect(try why(.rs256, [modulus(2040)]) == .size)
    #expect(try why(.rs256, [modulus(2048)]) == nil)
    #expect(try why(.rs256, [modulus(4096)]) == nil)
    #expect(try why(.rs256, [modulus(8200)]) == .size)
    #expect(try why(.rs256, [modulus(1 << 17)]) == .size)
    // 2048 bits with a zero first bit count as 2047.
    var bytes = [UInt8](repeating: 0x25, count: 256)
    bytes[0] = 0x7F
    #expect(try why(.rs256, [.init("n", .string(Base64.encodeURL(bytes)))]) == .size)
    bytes[0] = 0x80
    // Some servers write a zero byte before the number.
    #expect(try why(.rs256, [.init("n", .string(Base64.encodeURL([0] + bytes)))]) == nil)
  }

  @Test func badKeysDoNotSpoilTheOthers() throws {
    let good = try keys.published(for: .es256, [.init("kid", "good")])
    let bad: [(key: JSON, why: JSONWebKey.Unusable)] = [
      (["kty": "oct", "k": "AQAB"], .unknownType), (5, .notAnObject), (["kty": "EC"], .unknownType),
      (["kty": "RSA", "d": "AQAB"], .isPrivate),
    ]
    for (key, why) in bad { #expect(throws: why) { try JSONWebKey(key) } }
    let set: JSON = ["keys": .array(bad.map(\.key) + [good])]
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

  @Test func aKeySetThatIsTooLargeIsRejected() throws {
    let key = try keys.published(for: .edDSA)
    let set = JSON.object([.init("keys", .array(Array(repeating: key, count: 101)))])
    #expect(distrust { try JSONWebKeySet(set.text) } == "the issuer's key set has more than 100 keys")
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
