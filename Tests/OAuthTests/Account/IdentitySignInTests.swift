import Jansson
import Testing

@testable import OAuth

/// A sign-in with an ID token: who it was, and what makes the token one that is not believed.
struct IdentitySignInTests {
  private let identity: IdentityStage

  init() throws { identity = try IdentityStage() }

  @Test func theTokenSaysWhoSignedIn() async throws {
    let authorization = try await identity.signIn()
    #expect(authorization.subject == "user-1")
    #expect(authorization.email == "user@id.example")
    let grant = try #require(try identity.grant)
    #expect(grant.subject == "user-1" && grant.email == "user@id.example")
    #expect(grant.idTokenExpiresAt == 1_003_600)
    #expect(identity.stage.told == ["requested", "authorized signedIn"])
    // The keys first: what cannot be verified is not asked for.
    #expect(identity.issuer.asked == ["/keys", "/token"])
    // Nothing of it asks the network again.
    var stored = IdentityStage.request()
    stored.interaction = .never
    #expect(try await identity.stage.accounts.authorize(stored).email == "user@id.example")
    #expect(identity.issuer.requests.count == 2)
  }

  private static let faults: [([JSON.Member], String)] = [
    ([.init("iss", "https://evil.example")], "(iss)"), ([.init("aud", "another")], "(aud)"), ([.init("exp", 990_000)], "(exp)"),
    ([.init("nonce", "another")], "another nonce"), ([.init("nonce", .null)], "lacks the nonce"), ([.init("iat", 2_000_000)], "(iat)"),
    ([.init("nbf", 2_000_000)], "(nbf)"), ([.init("at_hash", "AAAA")], "(at_hash)"), ([.init("azp", "another")], "(azp)"),
    ([.init("sub", "")], "sub"), ([.init("sub", .null)], "sub"),
  ]

  @Test(arguments: faults)
  func whatIsNotBelievedEndsTheSignIn(claims: [JSON.Member], named: String) async throws {
    identity.issuer.set { $0.claims = claims }
    let failure = await failureOf { try await identity.signIn() }
    #expect(failure?.kind == .responseUntrusted)
    #expect(failure?.message.contains(named) == true)
    #expect(failure?.isRetryable == false)
    #expect(try identity.grant == nil)
    #expect(identity.stage.told == ["requested", "failed responseUntrusted"])
  }

  @Test func somebodyElsesSignatureEndsTheSignIn() async throws {
    let stranger = try SigningKeys.stranger.get()
    identity.issuer.set { $0.signer = stranger }
    let failure = await failureOf { try await identity.signIn() }
    #expect(failure?.message == "the id token's signature is not its issuer's")
    #expect(try identity.grant == nil)
  }

  @Test(arguments: [true, false])
  func withoutKeysTheCodeIsNotSpent(isDead: Bool) async throws {
    identity.issuer.set { state in
      state.publishes = false
      state.isDead = isDead
    }
    let failure = await failureOf { try await identity.signIn() }
    #expect(failure?.kind == (isDead ? .networkFailure : .authorizationServerError))
    #expect(failure?.isRetryable == true)
    #expect(try identity.grant == nil)
    #expect(identity.issuer.asked == ["/keys"])
  }

  /// Core, 3.1.3.7, 6: the token came by TLS from the endpoint itself.
  @Test func whereNoKeysAreKnownTheClaimsAreCheckedAlone() async throws {
    let stranger = try SigningKeys.stranger.get()
    identity.issuer.set { $0.signer = stranger }
    let authorization = try await identity.signIn(IdentityStage.request(with: [.init("jwksUri", .null)]))
    #expect(authorization.subject == "user-1")
    #expect(identity.issuer.asked == ["/token"])
    identity.issuer.set { $0.claims = [.init("nonce", "another")] }
    var again = IdentityStage.request(with: [.init("jwksUri", .null)])
    again.interaction = .always
    #expect(await failureOf { try await identity.signIn(again) }?.kind == .responseUntrusted)
    #expect(try identity.grant?.subject == "user-1")
  }

  @Test func anUnsignedTokenIsNeverTaken() async throws {
    identity.issuer.set { state in
      state.claims = nil
      let payload = Base64.encodeURL(goodClaims([.init("nonce", .null)]).text)
      state.answer = [.init("id_token", .string("eyJhbGciOiJub25lIn0.\(payload)."))]
    }
    for members: [JSON.Member] in [[], [.init("jwksUri", .null)]] {
      let failure = await failureOf { try await identity.signIn(IdentityStage.request(["read"], with: members)) }
      #expect(failure?.message == "the id token is not signed")
    }
  }

  /// Where nothing of the kind was asked for and none comes, there is nothing to fetch.
  @Test func plainOAuthFetchesNoKeys() async throws {
    identity.issuer.set { $0.claims = nil }
    let authorization = try await identity.signIn(IdentityStage.request(["read"]))
    #expect(authorization.subject == nil && authorization.email == nil)
    #expect(identity.issuer.asked == ["/token"])
  }

  /// An empty text is how some servers write that there is none.
  @Test func anEmptyTokenIsNone() async throws {
    identity.issuer.set { state in
      state.claims = nil
      state.answer = [.init("id_token", "")]
    }
    #expect(try await identity.signIn(IdentityStage.request(["read"])).subject == nil)
    #expect(try identity.grant?.idToken == nil)
  }

  /// A caller whose own server checks the ID token brings its own nonce.
  @Test func theCallersNonceIsTheNonce() async throws {
    var request = IdentityStage.request()
    request.parameters = NamedValues([("nonce", "of-the-caller")])
    let (prompt, _) = try await identity.stage.begin(request)
    #expect(Stage.parameter("nonce", of: prompt.url) == "of-the-caller")
    #expect(prompt.url.split(separator: "nonce=").count == 2)
    try await identity.deliver(prompt.url)
    #expect(try await identity.stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.subject == "user-1")
  }

  /// LinkedIn takes a nonce and does not repeat it.
  @Test func aProviderThatRepeatsNoNonceIsSentNone() async throws {
    identity.issuer.set { $0.claims = [.init("nonce", .null)] }
    let members: [JSON.Member] = [.init("nonce", "off")]
    let (prompt, _) = try await identity.stage.begin(IdentityStage.request(with: members))
    #expect(Stage.parameter("nonce", of: prompt.url) == nil)
    try await identity.deliver(prompt.url)
    #expect(try await identity.stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.subject == "user-1")
    #expect(identity.issuer.asked == ["/keys", "/token"])
    #expect(try Presets.builtIn.resolve(.preset("linkedin")).request.nonce == .off)
  }

  /// One description for many tenants, each an issuer of its own.
  @Test func issuersByTenant() async throws {
    let template: [JSON.Member] = [.init("issuer", "https://id.example/{tenantid}/v2.0")]
    identity.issuer.set { $0.claims = [.init("iss", "https://id.example/t-1/v2.0"), .init("tid", "t-1")] }
    #expect(try await identity.signIn(IdentityStage.request(with: template)).subject == "user-1")
    identity.issuer.set { $0.claims = [.init("iss", "https://id.example/t-2/v2.0"), .init("tid", "t-1")] }
    var again = IdentityStage.request(with: template)
    again.interaction = .always
    #expect(await failureOf { try await identity.signIn(again) }?.message.contains("(iss)") == true)
  }
}
