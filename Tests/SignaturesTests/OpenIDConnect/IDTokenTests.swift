import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

/// OpenID Connect Core, 2 and 3.1.3.7: every claim that can be wrong, one at a time.
struct IDTokenTests {
  private static let now = 1_000_000
  private let keys: SigningKeys

  init() throws { keys = try SigningKeys.issuer.get() }

  private static func check(_ change: (inout IDTokenCheck) -> Void = { _ in }) -> IDTokenCheck {
    var check = IDTokenCheck(issuer: IssuerTemplate("https://id.example"), clientId: "client", nonce: Secret("nonce-1"), now: now)
    change(&check)
    return check
  }

  private func fault(
    _ changes: [JSON.Member], _ algorithm: JSONWebAlgorithm = .edDSA, _ check: IDTokenCheck = Self.check()
  ) throws -> String? {
    let signature = try JSONWebSignature(keys.token(goodClaims(changes), algorithm))
    return distrust { try check.pass(IDToken(claims: signature.payload), of: signature) }
  }

  @Test func validTokensAreRead() throws {
    #expect(try fault([]) == nil)
    let more: [JSON.Member] = [
      .init("aud", ["other", "client"]), .init("azp", "client"), .init("nbf", 999_000), .init("auth_time", 900_000), .init("tid", "t-1"),
      .init("groups", ["a", "b"]), .init("acr", .null), .init("exp", .real(1_003_600.5)), .init("big", .real(1e300)),
    ]
    #expect(try fault(more) == nil)
    let token = try IDToken(claims: goodClaims(more).text)
    #expect(token.issuer == "https://id.example")
    #expect(token.subject == "user-1")
    #expect(token.audiences == ["other", "client"])
    #expect(token.expiresAt == 1_003_600)
    #expect(token.tenant == "t-1")
    #expect(token.email == "user@id.example")
  }

  @Test(arguments: ["iss", "sub", "aud", "exp", "iat"])
  func aClaimThatIsMissing(name: String) throws {
    #expect(try fault([.init(name, .null)]) == "the ID token has no claim \(name)")
  }

  private static let wrongTypes: [(String, JSON)] = [
    ("iss", 1), ("sub", true), ("sub", ""), ("sub", "b\u{E9}"), ("sub", "a\nb"), ("sub", .string(String(repeating: "a", count: 256))),
    ("aud", 1), ("aud", .array([])), ("aud", ["client", 1]), ("aud", .object([])), ("azp", 1), ("exp", "1003600"), ("exp", -1),
    ("exp", true),
    ("exp", .integer(.max)), ("exp", .real(1e20)), ("iat", "now"), ("nbf", "now"), ("nonce", 1), ("at_hash", 1), ("tid", 1),
  ]

  @Test(arguments: wrongTypes)
  func aClaimOfTheWrongType(name: String, value: JSON) throws {
    #expect(try fault([.init(name, value)]) == "the ID token's claim \(name) has an impossible value")
  }

  @Test func subjectsUpTo255() throws {
    let long = String(repeating: "a", count: 255)
    #expect(try IDToken(claims: goodClaims([.init("sub", .string(long))]).text).subject == long)
  }

  /// Issuers are compared byte by byte: no added slash, no case folding, no missing scheme.
  @Test(arguments: [
    "https://id.example/", "https://ID.example", "http://id.example", "id.example", "https://id.example.evil.example",
    "https://id.example ", "",
  ])
  func anotherIssuer(issuer: String) throws {
    #expect(
      try fault([.init("iss", .string(issuer))])
        == "the ID token names the issuer \(issuer), but https://id.example was asked")
  }

  @Test func withoutAKnownIssuerAnyIsAccepted() throws {
    let check = Self.check { $0.issuer = nil }
    #expect(try fault([.init("iss", "https://other.example")], .edDSA, check) == nil)
    #expect(try fault([.init("aud", "another")], .edDSA, check) == "the ID token is for another client (aud)")
  }

  @Test func audiences() throws {
    let foreign = "the ID token is for another client (aud)"
    for audience: JSON in ["another", "Client", "client ", ["another"], ["another", "third"]] {
      #expect(try fault([.init("aud", audience)]) == foreign)
    }
    #expect(try fault([.init("aud", ["client"])]) == nil)
    let several = "the ID token has several audiences and names no authorized party (azp)"
    #expect(try fault([.init("aud", ["client", "another"])]) == nil)
    #expect(try fault([.init("aud", ["client", "another"])], .edDSA, Self.check { $0.issuer = nil }) == several)
    let party = "the ID token was issued to another client (azp)"
    #expect(try fault([.init("aud", ["client", "another"]), .init("azp", "another")]) == party)
    #expect(try fault([.init("azp", "another")]) == party)
    #expect(try fault([.init("azp", "client")]) == nil)
  }

  @Test func times() throws {
    let leeway = IDTokenCheck.expiryLeeway
    #expect(try fault([.init("exp", .integer(Self.now - leeway))]) == "the ID token has expired (exp); is this machine's clock right?")
    #expect(try fault([.init("exp", .integer(Self.now - leeway + 1))]) == nil)
    #expect(try fault([.init("exp", 0)]) == "the ID token has expired (exp); is this machine's clock right?")
    let ahead = Self.now + IDTokenCheck.futureLeeway
    #expect(try fault([.init("iat", .integer(ahead))]) == nil)
    #expect(try fault([.init("iat", .integer(ahead + 1))])?.contains("in the future (iat)") == true)
    #expect(try fault([.init("nbf", .integer(ahead))]) == nil)
    #expect(try fault([.init("nbf", .integer(ahead + 1))])?.contains("is not valid yet (nbf)") == true)
  }

  @Test func nonces() throws {
    #expect(try fault([.init("nonce", .null)]) == "the ID token lacks the nonce that was sent")
    let other = "the ID token's nonce is not the one that was sent"
    for nonce: JSON in ["nonce-2", "", "Nonce-1", "nonce-1 "] { #expect(try fault([.init("nonce", nonce)]) == other) }
    // If no nonce was sent, as with a refresh, none is compared.
    #expect(try fault([.init("nonce", .null)], .edDSA, Self.check { $0.nonce = nil }) == nil)
  }

  /// OpenID Connect Core, 3.1.3.8: the left half of the hash that belongs to the token's own algorithm.
  @Test(arguments: JSONWebAlgorithm.withKeys)
  func accessTokenHashes(algorithm: JSONWebAlgorithm) throws {
    let check = Self.check { $0.accessToken = Secret("access-1") }
    let right = Base64.encodeURL(algorithm.leftHalf(ofHashOf: "access-1"))
    #expect(try fault([.init("at_hash", .string(right))], algorithm, check) == nil)
    #expect(try fault([], algorithm, check) == nil)
    let wrong = "the ID token belongs to another access token (at_hash)"
    for hash in [Base64.encodeURL(algorithm.leftHalf(ofHashOf: "access-2")), "", right + "=", String(right.dropLast(2))] {
      #expect(try fault([.init("at_hash", .string(hash))], algorithm, check) == wrong)
    }
    let other: JSONWebAlgorithm = algorithm == .es384 ? .es256 : .es384
    #expect(
      try fault([.init("at_hash", .string(Base64.encodeURL(other.leftHalf(ofHashOf: "access-1"))))], algorithm, check) != nil
        || [.rs384, .ps384].contains(algorithm))
  }

  /// OpenID Connect Core, 12.2.
  @Test func aRefreshedTokenIsAboutTheSameUser() throws {
    let first = try IDToken(claims: goodClaims().text)
    func fault(_ changes: [JSON.Member]) -> String? {
      distrust { try IDTokenCheck.pass(IDToken(claims: goodClaims(changes).text), refreshing: first) }
    }
    #expect(fault([]) == nil)
    #expect(fault([.init("nonce", .null), .init("iat", 1_000_500), .init("exp", 1_004_000)]) == nil)
    #expect(fault([.init("sub", "user-2")]) == "the refreshed ID token is about another user (sub)")
    #expect(fault([.init("iss", "https://other.example")]) == "the refreshed ID token comes from another issuer (iss)")
    #expect(fault([.init("nonce", "nonce-2")]) == "the refreshed ID token's nonce differs from the first one's")
  }

  @Test(arguments: [
    ("", "the ID token's claims are not valid JSON"), ("[]", "the ID token's claims are not an object"),
    (#"{"iss":"#, "the ID token's claims are not valid JSON"),
    (#"{"iss":"https://id.example","iss":"https://evil.example"}"#, "the ID token names a claim twice"),
    ("\u{FEFF}{}", "the ID token's claims are not valid JSON"),
  ])
  func payloadsThatCannotBe(payload: String, message: String) {
    #expect(distrust { try IDToken(claims: Array(payload.utf8)) } == message)
  }

  /// A number too large for any integer, in an unused claim.
  @Test func oddNumbersElsewhereDoNoHarm() throws {
    let text = #"{"iss":"https://id.example","sub":"u","aud":"client","exp":1003600,"iat":1000000,"weird":123456789012345678901234567890}"#
    #expect(try IDToken(claims: Array(text.utf8)).expiresAt == 1_003_600)
  }

  /// An email that cannot be displayed is left out. It affects nothing else.
  @Test(arguments: [JSON.integer(1), "", "a\nb@example", .string(String(repeating: "a", count: 321)), ["a@b.example"]])
  func emailsThatCannotBeShown(email: JSON) throws {
    #expect(try IDToken(claims: goodClaims([.init("email", email)]).text).email == nil)
  }

  /// A message names the claim and never quotes its value. The issuer is no secret, and its user has to compare it.
  @Test func noFailureQuotesAClaim() throws {
    for name in ["aud", "azp", "nonce", "at_hash"] {
      let check = Self.check { $0.accessToken = Secret("access-1") }
      let message = try fault([.init(name, "c2VjcmV0")], .edDSA, check)
      #expect(message != nil)
      #expect(message?.contains("c2VjcmV0") == false)
    }
  }
}

/// Issuers with a tenant, as Microsoft uses them.
struct IssuerTemplateTests {
  private let template = IssuerTemplate("https://login.example/{tenantid}/v2.0")

  @Test func theTenantFillsItIn() {
    #expect(template.names("https://login.example/9188040d-6c67/v2.0", tenant: "9188040d-6c67"))
    #expect(!template.names("https://login.example/9188040d-6c67/v2.0", tenant: "another"))
    #expect(!template.names("https://login.example/9188040d-6c67/v2.0", tenant: nil))
    #expect(!template.names("https://login.example/{tenantid}/v2.0", tenant: "{tenantid}"))
    #expect(!template.names("https://login.example//v2.0", tenant: ""))
    #expect(!template.names("https://login.example/a/../b/v2.0", tenant: "a/../b"))
    #expect(!template.names("https://evil.example/a/v2.0", tenant: "a"))
  }

  @Test func aRedirectMayNameAnyTenant() {
    #expect(template.mayName("https://login.example/9188040d-6c67/v2.0"))
    for issuer in [
      "https://login.example//v2.0", "https://login.example/v2.0", "https://evil.example/a/v2.0", "", "https://login.example/a/b/v2.0",
    ] {
      #expect(!template.mayName(issuer))
    }
    #expect(IssuerTemplate("https://a.example").mayName("https://a.example"))
    #expect(!IssuerTemplate("https://a.example").mayName("https://a.example/"))
  }
}
