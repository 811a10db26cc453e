import Crypto
import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

/// RFC 7515, 7518 and 8037: valid signatures, and invalid ones that resemble them.
struct JSONWebSignatureTests {
  private let keys: SigningKeys
  private let stranger: SigningKeys

  init() throws {
    keys = try SigningKeys.issuer.get()
    stranger = try SigningKeys.stranger.get()
  }

  @Test(arguments: JSONWebAlgorithm.withKeys)
  func whatTheIssuerSignedVerifies(algorithm: JSONWebAlgorithm) throws {
    let signature = try JSONWebSignature(keys.token(goodClaims(), algorithm))
    #expect(signature.algorithm == algorithm)
    #expect(signature.payload == goodClaims().text)
    #expect(try signature.isMade(by: keys.key(for: algorithm)))
    #expect(try !signature.isMade(by: stranger.key(for: algorithm)))
  }

  /// One changed bit in the header, the payload or the signature.
  @Test(arguments: JSONWebAlgorithm.withKeys)
  func aChangedBitDoesNotVerify(algorithm: JSONWebAlgorithm) throws {
    let token = try keys.token(goodClaims(), algorithm, header: [.init("kid", "a")])
    let key = try keys.key(for: algorithm)
    let parts = token.value.split(separator: ".").map(String.init)
    for changed in 0..<3 {
      var bytes = try Base64.decodeURL(parts[changed])
      // In the header and the payload the changed byte is inside a string, so the JSON stays valid.
      bytes[bytes.count - 4] ^= 1
      var altered = parts
      altered[changed] = Base64.encodeURL(bytes)
      let signature = try? JSONWebSignature(Secret(altered.joined(separator: ".")))
      #expect(signature?.isMade(by: key) != true, "part \(changed)")
    }
  }

  /// A key verifies only algorithms of its type, and only its own `alg` if it has one.
  @Test func aKeyOnlyServesItsAlgorithm() throws {
    for algorithm in JSONWebAlgorithm.withKeys {
      for other in JSONWebAlgorithm.withKeys {
        let signature = try JSONWebSignature(keys.token(goodClaims(), algorithm))
        let isSameType =
          try keys.published(for: algorithm)["kty"] == keys.published(for: other)["kty"]
          && keys.published(for: algorithm)["crv"] == keys.published(for: other)["crv"]
        #expect(try signature.isMade(by: keys.key(for: other)) == isSameType)
        let bound = try keys.key(for: other, [.init("alg", .string(other.rawValue))])
        #expect(signature.isMade(by: bound) == (algorithm == other))
      }
    }
  }

  /// The signature of one algorithm under another algorithm's name.
  @Test(arguments: [(JSONWebAlgorithm.rs256, JSONWebAlgorithm.ps256), (.ps256, .rs256), (.rs256, .rs512), (.rs512, .rs256)])
  func aSwappedNameDoesNotVerify(made: JSONWebAlgorithm, named: JSONWebAlgorithm) throws {
    let token = try keys.token(goodClaims(), made, header: [.init("alg", .string(named.rawValue))])
    #expect(try !JSONWebSignature(token).isMade(by: keys.key(for: made)))
  }

  /// The classic attack: the public key is used as the secret of an HMAC.
  @Test(arguments: ["HS256", "HS384", "HS512"])
  func anHMACWithThePublicKeyProvesNothing(name: String) throws {
    let numbers = try keys.rsa.publicKey.getKeyPrimitives()
    let secrets: [[UInt8]] = [
      Array(keys.rsa.publicKey.pemRepresentation.utf8), Array(keys.rsa.publicKey.derRepresentation), Array(numbers.modulus),
      Array(Base64.encodeURL(Array(numbers.modulus)).utf8), try keys.published(for: .rs256).text,
    ]
    for secret in secrets {
      let header = JSON.object([.init("alg", .string(name)), .init("kid", "rsa")]).text
      let token = keys.token(header: header, payload: goodClaims().text) { input in
        let key = SymmetricKey(data: secret)
        return switch name {
        case "HS256": Array(HMAC<SHA256>.authenticationCode(for: input, using: key))
        case "HS384": Array(HMAC<SHA384>.authenticationCode(for: input, using: key))
        default: Array(HMAC<SHA512>.authenticationCode(for: input, using: key))
        }
      }
      let signature = try JSONWebSignature(token)
      #expect(signature.algorithm?.needsSecret == true)
      #expect(try !signature.isMade(by: keys.key(for: .rs256)))
      #expect(try JSONWebKeySet(keys.publishedSet()).candidates(for: signature).isEmpty)
    }
  }

  @Test(arguments: ["none", "None", "NONE", "nOnE"])
  func unsignedTokensAreRejected(name: String) throws {
    for signature in [[], [UInt8](repeating: 1, count: 64)] {
      let token = keys.token(header: Array(#"{"alg":"\#(name)"}"#.utf8), payload: goodClaims().text) { _ in signature }
      #expect(distrust { try JSONWebSignature(token) } == "the ID token is not signed")
    }
  }

  @Test func aSignatureThatIsTakenAwayIsMissed() throws {
    for algorithm in JSONWebAlgorithm.withKeys {
      let token = try keys.token(goodClaims(), algorithm).value
      let cut = Secret(String(token[...(token.lastIndex(of: ".") ?? token.startIndex)]))
      #expect(distrust { try JSONWebSignature(cut) } == "the ID token is not signed")
    }
  }

  /// X.509 writes signatures as DER, JWS as two numbers side by side. Only the JWS encoding is accepted.
  @Test func anotherEncodingOfTheSameSignatureIsInvalid() throws {
    let token = try keys.token(header: Array(#"{"alg":"ES256"}"#.utf8), payload: goodClaims().text) { input in
      Array(try keys.p256.signature(for: SHA256.hash(data: input)).derRepresentation)
    }
    #expect(try !JSONWebSignature(token).isMade(by: keys.key(for: .es256)))
    // R and S are zero. A famous runtime once accepted this signature for every message.
    let zero = keys.token(header: Array(#"{"alg":"ES256"}"#.utf8), payload: goodClaims().text) { _ in [UInt8](repeating: 0, count: 64) }
    #expect(try !JSONWebSignature(zero).isMade(by: keys.key(for: .es256)))
  }

  @Test(arguments: [
    (#"{"alg":"ES256","alg":"none"}"#, "the ID token's header names a member twice"),
    (#"{"alg":"ES256","kid":"a","kid":"b"}"#, "the ID token's header names a member twice"),
    (#"{"alg":"ES256","crit":["exp"],"exp":1}"#, "the ID token requires an unknown extension (crit)"),
    (#"{"alg":"ES256","crit":[]}"#, "the ID token requires an unknown extension (crit)"),
    (#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, "the ID token requires an unknown extension (crit)"),
    (#"{"alg":"ES256","typ":"at+jwt"}"#, "the ID token is a token of another type (typ)"),
    (#"{"alg":"ES256","typ":"application/logout+JWT"}"#, "the ID token is a token of another type (typ)"),
    (#"{"alg":"ES256","typ":1}"#, "the ID token's type is not a string"),
    (#"{"alg":"ES256","kid":1}"#, "the ID token's key ID is not a string"),
    (#"{"alg":1}"#, "the ID token's header names no algorithm"), (#"{}"#, "the ID token's header names no algorithm"),
    (#"["ES256"]"#, "the ID token's header is not an object"), ("{", "the ID token's header is not valid JSON"),
    ("", "the ID token's header is not valid JSON"), ("{\"alg\":\"ES256\"}\u{0}", "the ID token's header is not valid JSON"),
  ])
  func aHeaderThatCannotBe(header: String, message: String) throws {
    let token = try keys.token(header: Array(header.utf8), payload: goodClaims().text) { try keys.sign($0, .es256) }
    #expect(distrust { try JSONWebSignature(token) } == message)
  }

  @Test(arguments: ["", "a", "a.b", "a.b.c.d", ".", "..", "...."])
  func aFormThatCannotBe(text: String) {
    #expect(distrust { try JSONWebSignature(Secret(text)) } != nil)
  }

  /// Padding, spaces, line ends, the other alphabet and unused bits would each give one token several spellings.
  @Test func base64urlIsStrict() throws {
    let token = try keys.token(goodClaims(), .es256).value
    let parts = token.split(separator: ".").map(String.init)
    #expect(try JSONWebSignature(Secret(token)).isMade(by: keys.key(for: .es256)))
    for part in 0..<3 {
      for suffix in ["=", "==", "\n", " ", "+", "A="] {
        var altered = parts
        altered[part] += suffix
        let message = distrust { try JSONWebSignature(Secret(altered.joined(separator: "."))) }
        #expect(message != nil, "part \(part) with \(suffix)")
      }
    }
    // 64 bytes end in four unused bits.
    let stray = String(token.dropLast()) + (token.hasSuffix("A") || token.hasSuffix("Q") ? "B" : "z")
    #expect(distrust { try JSONWebSignature(Secret(stray)) } != nil)
  }

  /// Anyone can put a key into a token.
  @Test func aKeyInsideTheTokenIsNotUsed() throws {
    let header: [JSON.Member] = [
      .init("jwk", try stranger.published(for: .es256)), .init("jku", "https://evil.example/keys"),
      .init("x5u", "https://evil.example/cert"),
    ]
    let signature = try JSONWebSignature(stranger.token(goodClaims(), .es256, header: header))
    let set = try JSONWebKeySet(keys.publishedSet())
    #expect(set.candidates(for: signature).count == 1)
    #expect(!set.candidates(for: signature).contains { signature.isMade(by: $0) })
  }

  /// No message shows the token.
  @Test func noFailureQuotesTheToken() throws {
    let token = Secret("c2VjcmV0.c2VjcmV0!.c2VjcmV0")
    let message = distrust { try JSONWebSignature(token) }
    #expect(message?.contains("c2VjcmV0") == false)
  }
}
