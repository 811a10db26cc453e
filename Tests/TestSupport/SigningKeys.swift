import Crypto
import CryptoExtras
import Jansson
import OAuthCore
import Signatures

/// One private key of each kind, as an issuer has them.
package struct SigningKeys: Sendable {
  package let rsa: _RSA.Signing.PrivateKey
  package let p256 = P256.Signing.PrivateKey()
  package let p384 = P384.Signing.PrivateKey()
  package let p521 = P521.Signing.PrivateKey()
  package let ed25519 = Curve25519.Signing.PrivateKey()

  package init() throws { rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

  /// The issuer's keys, made once because an RSA key takes time.
  package static let issuer = Result { try SigningKeys() }
  /// The keys of a party that is not the issuer.
  package static let stranger = Result { try SigningKeys() }

  /// Returns the public half that verifies this algorithm, as a member of a key set.
  package func published(for algorithm: JSONWebAlgorithm, _ more: [JSON.Member] = []) throws -> JSON {
    var members: [JSON.Member]
    switch algorithm {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
      let numbers = try rsa.publicKey.getKeyPrimitives()
      members = [
        .init("kty", "RSA"), .init("n", .string(Base64.encodeURL(Array(numbers.modulus)))),
        .init("e", .string(Base64.encodeURL(Array(numbers.publicExponent)))),
      ]
    case .es256: members = Self.point("P-256", Array(p256.publicKey.rawRepresentation))
    case .es384: members = Self.point("P-384", Array(p384.publicKey.rawRepresentation))
    case .es512: members = Self.point("P-521", Array(p521.publicKey.rawRepresentation))
    case .hs256, .hs384, .hs512: members = [.init("kty", "oct"), .init("k", "AAAA")]
    case .edDSA:
      members = [
        .init("kty", "OKP"), .init("crv", "Ed25519"),
        .init("x", .string(Base64.encodeURL(Array(ed25519.publicKey.rawRepresentation)))),
      ]
    }
    for member in more {
      members.removeAll { $0.name == member.name }
      members.append(member)
    }
    return .object(members)
  }

  package func key(for algorithm: JSONWebAlgorithm, _ more: [JSON.Member] = []) throws -> JSONWebKey {
    guard let key = JSONWebKey(try published(for: algorithm, more)) else { throw JSONFault.syntax(position: 0) }
    return key
  }

  /// Returns a set of all public halves, each with its kind as `kid`.
  package func publishedSet() throws -> [UInt8] {
    let all = [("rsa", JSONWebAlgorithm.rs256), ("p256", .es256), ("p384", .es384), ("p521", .es512), ("ed", .edDSA)]
    let keys = try all.map { id, algorithm in
      try published(for: algorithm, [.init("kid", .string(id))])
    }
    return JSON.object([.init("keys", .array(keys))]).text
  }

  package func sign(_ input: [UInt8], _ algorithm: JSONWebAlgorithm) throws -> [UInt8] {
    switch algorithm {
    case .rs256: Array(try rsa.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
    case .rs384: Array(try rsa.signature(for: SHA384.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
    case .rs512: Array(try rsa.signature(for: SHA512.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
    case .ps256: Array(try rsa.signature(for: SHA256.hash(data: input), padding: .PSS).rawRepresentation)
    case .ps384: Array(try rsa.signature(for: SHA384.hash(data: input), padding: .PSS).rawRepresentation)
    case .ps512: Array(try rsa.signature(for: SHA512.hash(data: input), padding: .PSS).rawRepresentation)
    case .es256: Array(try p256.signature(for: SHA256.hash(data: input)).rawRepresentation)
    case .es384: Array(try p384.signature(for: SHA384.hash(data: input)).rawRepresentation)
    case .es512: Array(try p521.signature(for: SHA512.hash(data: input)).rawRepresentation)
    case .hs256, .hs384, .hs512: algorithm.code(of: input, by: Secret("AAAA")) ?? []
    case .edDSA: Array(try ed25519.signature(for: input))
    }
  }

  /// Returns a token with these claims; `header` replaces the usual header members.
  package func token(_ claims: JSON, _ algorithm: JSONWebAlgorithm = .es256, header: [JSON.Member] = []) throws -> Secret {
    let usual = [JSON.Member("alg", .string(algorithm.rawValue))].filter { member in !header.contains { $0.name == member.name } }
    return try token(header: JSON.object(usual + header).text, payload: claims.text) { try sign($0, algorithm) }
  }

  package func token(header: [UInt8], payload: [UInt8], _ sign: ([UInt8]) throws -> [UInt8]) rethrows -> Secret {
    let input = Base64.encodeURL(header) + "." + Base64.encodeURL(payload)
    return Secret(input + "." + Base64.encodeURL(try sign(Array(input.utf8))))
  }

  private static func point(_ curve: String, _ raw: [UInt8]) -> [JSON.Member] {
    let half = raw.count / 2
    return [
      .init("kty", "EC"), .init("crv", .string(curve)), .init("x", .string(Base64.encodeURL(Array(raw[..<half])))),
      .init("y", .string(Base64.encodeURL(Array(raw[half...])))),
    ]
  }
}

extension JSONWebAlgorithm {
  /// The algorithms with a private key.
  package static let withKeys = allCases.filter { !$0.needsSecret }
}

/// Returns claims that are valid at the stage's time, with changes; null removes a claim.
package func goodClaims(_ changes: [JSON.Member] = [], at now: Int = 1_000_000) -> JSON {
  var members: [JSON.Member] = [
    .init("iss", "https://id.example"), .init("sub", "user-1"), .init("aud", "client"), .init("exp", .integer(now + 3600)),
    .init("iat", .integer(now)), .init("nonce", "nonce-1"), .init("email", "user@id.example"),
  ]
  for change in changes {
    members.removeAll { $0.name == change.name }
    if change.value != .null { members.append(change) }
  }
  return .object(members)
}

/// Returns the message of the `responseUntrusted` failure that `work` throws; nil if it succeeds.
package func distrust(_ work: () throws -> some Any) -> String? {
  do {
    _ = try work()
    return nil
  } catch let failure as OAuthFailure {
    return failure.kind == .responseUntrusted ? failure.message : "not untrusted: \(failure)"
  } catch {
    return "another error: \(error)"
  }
}
