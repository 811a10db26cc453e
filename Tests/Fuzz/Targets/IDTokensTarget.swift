@testable import Jansson
@testable import OAuthCore
@testable import Signatures

/// ID tokens and their claims: no key verifies what its owner did not sign, and accepted claims fulfil OpenID Connect Core, 3.1.3.7.
struct IDTokensTarget: FuzzTarget {
  static let name = "idtokens"

  /// The signed parts of the tokens that the keys' owners made, decoded.
  private let genuine: [[UInt8]]
  private let keys: JSONWebKeySet

  init() throws {
    genuine = Issuer.tokens.map { Array($0[..<($0.lastIndex(of: ".") ?? $0.endIndex)].utf8) }
    keys = try JSONWebKeySet(Issuer.keys.text)
    for token in Issuer.tokens {
      let signature = try JSONWebSignature(Secret(token))
      require(keys.candidates(for: signature).contains { signature.isMade(by: $0) }, "a genuine token is rejected")
    }
  }

  func run(_ input: [UInt8]) {
    checkSignature(input.text)
    // The claims may be the input itself.
    checkClaims(input)
  }

  private func checkSignature(_ text: String) {
    guard let signature = try? JSONWebSignature(Secret(text)) else { return }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    require(parts.count == 3 && !parts[2].isEmpty, "\(parts.count) parts are a signed token")
    require((try? Base64.decodeURL(String(Substring(parts[1])))) == signature.payload, "the payload is another")
    let header = (try? Base64.decodeURL(String(Substring(parts[0])))).flatMap { try? JSON.parse($0) }
    require(header?["crit"] == nil && header?["alg"]?.string != nil, "the header is unfit")
    require(signature.algorithm == nil || header?["alg"]?.string?.lowercased() != "none", "a token without a signature has an algorithm")
    require(header?["kid"] == nil || header?["kid"]?.string == signature.keyId, "the key is another")
    let input = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    for key in keys.keys where signature.isMade(by: key) {
      require(genuine.contains(input), "a forged token is accepted: \(text)")
    }
    checkClaims(signature.payload)
  }

  private func checkClaims(_ payload: [UInt8]) {
    guard let token = try? IDToken(claims: payload) else { return }
    require(!token.subject.isEmpty && token.subject.utf8.count <= 255 && token.subject.plain == token.subject, "the subject is unfit")
    for instant in [token.expiresAt, token.issuedAt, token.notBefore].compactMap(\.self) {
      require(UnixSeconds.instants.contains(instant), "the instant \(instant) is beyond the year 9999")
    }
    require((try? IDToken(claims: Self.written(token))) == token, "the claims change when they are written")
    guard let signature = try? JSONWebSignature(Secret(Issuer.tokens[0])) else { return }
    let check = IDTokenCheck(
      issuer: IssuerTemplate("https://id.example/{tenantid}/v2"), clientId: "client", nonce: Secret("nonce-1"), now: 1_000_000)
    guard (try? check.pass(token, of: signature)) != nil else { return }
    require(token.audiences.contains("client") && (token.authorizedParty ?? "client") == "client", "the token is for another client")
    require(
      token.expiresAt > 1_000_000 - 60 && token.issuedAt <= 1_000_600 && token.notBefore ?? 0 <= 1_000_600, "the token is not valid now")
    require(token.nonce?.value == "nonce-1", "the nonce is another")
    require(
      token.issuer == "https://id.example/\(token.tenant ?? "")/v2" && token.tenant?.contains("/") == false,
      "another issuer: \(token.issuer)")
  }

  private static func written(_ token: IDToken) -> [UInt8] {
    var members: [JSON.Member] = [
      .init("iss", .string(token.issuer)), .init("sub", .string(token.subject)), .init("aud", .array(token.audiences.map(JSON.string))),
      .init("exp", .integer(token.expiresAt)), .init("iat", .integer(token.issuedAt)),
    ]
    for (name, text) in [
      ("azp", token.authorizedParty), ("nonce", token.nonce?.value), ("at_hash", token.accessTokenHash), ("tid", token.tenant),
      ("email", token.email),
    ] {
      if let text { members.append(.init(name, .string(text))) }
    }
    if let instant = token.notBefore { members.append(.init("nbf", .integer(instant))) }
    return JSON.object(members).text
  }
}
