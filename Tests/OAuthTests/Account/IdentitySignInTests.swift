import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// A sign-in with an ID token: the user it names, and what makes the token invalid.
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
    // The keys are fetched first: a token that cannot be verified is not requested.
    #expect(identity.issuer.asked == ["/keys", "/token"])
    // A stored grant needs no further request.
    var stored = IdentityStage.request()
    stored.interaction = .never
    #expect(try await identity.stage.accounts.authorize(stored).email == "user@id.example")
    #expect(identity.issuer.requests.count == 2)
  }

  private static let faults: [([JSON.Member], String)] = [
    ([.init("iss", "https://evil.example")], "the issuer https://evil.example"), ([.init("aud", "another")], "(aud)"),
    ([.init("exp", 990_000)], "(exp)"),
    ([.init("nonce", "another")], "nonce is not the one that was sent"), ([.init("nonce", .null)], "lacks the nonce"),
    ([.init("iat", 2_000_000)], "(iat)"), ([.init("nbf", 2_000_000)], "(nbf)"), ([.init("at_hash", "AAAA")], "(at_hash)"),
    ([.init("azp", "another")], "(azp)"), ([.init("sub", "")], "sub"), ([.init("sub", .null)], "sub"),
  ]

  @Test(arguments: faults)
  func anInvalidIDTokenEndsTheSignIn(claims: [JSON.Member], named: String) async throws {
    identity.issuer.set { $0.claims = claims }
    let failure = await failureOf { try await identity.signIn() }
    #expect(failure?.kind == .responseUntrusted)
    #expect(failure?.message.contains(named) == true)
    #expect(failure?.isRetryable == false)
    #expect(try identity.grant == nil)
    #expect(identity.stage.told == ["requested", "failed responseUntrusted"])
  }

  @Test func aForeignSignatureEndsTheSignIn() async throws {
    let stranger = try SigningKeys.stranger.get()
    identity.issuer.set { $0.signer = stranger }
    let failure = await failureOf { try await identity.signIn() }
    #expect(failure?.message == "the ID token's signature is invalid")
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

  /// OpenID Connect Core, 3.1.3.7, 6: TLS to the token endpoint replaces the signature.
  @Test func withoutAKeySetOnlyTheClaimsAreChecked() async throws {
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
      state.tokenMembers = [.init("id_token", .string("eyJhbGciOiJub25lIn0.\(payload)."))]
    }
    for members: [JSON.Member] in [[], [.init("jwksUri", .null)]] {
      let failure = await failureOf { try await identity.signIn(IdentityStage.request(["read"], with: members)) }
      #expect(failure?.message == "the ID token is not signed")
    }
  }

  /// No ID token was requested and none comes, so no keys are fetched.
  @Test func plainOAuthFetchesNoKeys() async throws {
    identity.issuer.set { $0.claims = nil }
    let authorization = try await identity.signIn(IdentityStage.request(["read"]))
    #expect(authorization.subject == nil && authorization.email == nil)
    #expect(identity.issuer.asked == ["/token"])
  }

  /// Some servers send an empty string instead of no ID token.
  @Test func anEmptyTokenCountsAsMissing() async throws {
    identity.issuer.set { state in
      state.claims = nil
      state.tokenMembers = [.init("id_token", "")]
    }
    #expect(try await identity.signIn(IdentityStage.request(["read"])).subject == nil)
    #expect(try identity.grant?.idToken == nil)
  }

  /// A caller whose server checks the ID token supplies its own nonce.
  @Test func theCallersNonceIsTheNonce() async throws {
    var request = IdentityStage.request()
    request.parameters = NamedValues([("nonce", "of-the-caller")])
    let (prompt, _) = try await identity.stage.begin(request)
    #expect(Stage.parameter("nonce", of: prompt.url) == "of-the-caller")
    #expect(prompt.url.split(separator: "nonce=").count == 2)
    try await identity.deliver(prompt.url)
    #expect(try await identity.stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.subject == "user-1")
  }

  /// LinkedIn accepts a nonce and does not repeat it.
  @Test func aProviderThatRepeatsNoNonceIsSentNone() async throws {
    identity.issuer.set { $0.claims = [.init("nonce", .null)] }
    let members: [JSON.Member] = [.init("nonce", "off")]
    let (prompt, _) = try await identity.stage.begin(IdentityStage.request(with: members))
    #expect(Stage.parameter("nonce", of: prompt.url) == nil)
    try await identity.deliver(prompt.url)
    #expect(try await identity.stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.subject == "user-1")
    #expect(identity.issuer.asked == ["/keys", "/token"])
    #expect(try ProviderCatalog.builtIn.resolve(.preset("linkedin")).request.nonce == .off)
  }

  /// One provider file serves many tenants, each with its own issuer.
  @Test func issuersByTenant() async throws {
    let folder = try TemporaryFolder()
    let members = ProviderCatalog.merge(Issuer.members + [.init("issuer", "https://id.example/{tenantid}/v2.0")], over: Stage.provider)
    _ = folder.write("tenants.json", JSON.object(members).text)
    let identity = try IdentityStage(catalog: ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path)))
    var request = IdentityStage.request()
    request.provider = .preset("tenants")
    identity.issuer.set { $0.claims = [.init("iss", "https://id.example/t-1/v2.0"), .init("tid", "t-1")] }
    #expect(try await identity.signIn(request).subject == "user-1")
    request.interaction = .always
    identity.issuer.set { $0.claims = [.init("iss", "https://id.example/t-2/v2.0"), .init("tid", "t-1")] }
    let asked = request
    #expect(await failureOf { try await identity.signIn(asked) }?.message.contains("names the issuer") == true)
    // The same subject in another tenant does not prove another user. Another subject does.
    identity.issuer.set { $0.claims = [.init("iss", "https://id.example/t-2/v2.0"), .init("tid", "t-2"), .init("sub", "user-2")] }
    #expect(try await identity.signIn(asked).subjectChanged)
  }

  /// Only presets may have a placeholder for a claim in `issuer`; descriptions from clients or servers may not.
  @Test(arguments: [
    "https://id.example/{tenantid}/v2.0", "https://{tenantid}.id.example/v2.0", "https://id.example{tenantid}/",
    "https://id.example/?{tenantid}",
  ])
  func aTenantsPlaceIsForPresetsAlone(issuer: String) async {
    let failure = await failureOf { try await identity.stage.begin(IdentityStage.request(with: [.init("issuer", .string(issuer))])) }
    #expect(failure?.kind == .configurationInvalid && failure?["path"] == "/provider/issuer")
  }

  @Test func theTokensOfAnotherUserAreRejected() async throws {
    #expect(try await !identity.signIn().subjectChanged)
    let first = try identity.grant
    identity.issuer.set { $0.claims = [.init("sub", "user-2")] }
    // Additional scopes need a page without `always`.
    let failure = await failureOf { try await identity.signIn(IdentityStage.request(["openid", "read", "write"])) }
    #expect(failure?.kind == .accessDenied && failure?["reason"] == "anotherUser")
    #expect(try identity.grant == first)
    var request = IdentityStage.request(["openid", "read", "write"])
    request.interaction = .always
    #expect(try await identity.signIn(request).subjectChanged)
    #expect(try identity.grant?.subject == "user-2")
    #expect(try await !identity.signIn(request).subjectChanged)
  }

  /// Another process signs a user in while this process's page is open.
  @Test func aUserWhoCameMeanwhileIsNotReplacedByAnother() async throws {
    try await identity.signIn()
    let theirs = try #require(try identity.grant)
    try await identity.stage.store.remove("a")
    let (prompt, _) = try await identity.stage.begin(IdentityStage.request())
    try await identity.stage.store.write(theirs)
    identity.issuer.set { $0.claims = [.init("sub", "user-2")] }
    try await identity.deliver(prompt.url)
    let failure = await failureOf { try await identity.stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) }
    #expect(failure?["reason"] == "anotherUser")
    #expect(try identity.grant == theirs)
  }

  @Test(arguments: [[JSON.Member("client_id", "other")], []])
  func aSubjectIsItsIssuersAndItsClients(change: [JSON.Member]) async throws {
    try await identity.signIn()
    identity.issuer.set { state in
      state.claims = [.init("sub", "user-2")] + (change.isEmpty ? [.init("iss", "https://other.example")] : [.init("aud", "other")])
    }
    var request = IdentityStage.request(
      ["openid", "read", "write"], with: change.isEmpty ? [.init("issuer", "https://other.example")] : [])
    if !change.isEmpty { request.clientId = "other" }
    #expect(try await identity.signIn(request).subject == "user-2")
  }

  /// If `openid` was granted, an answer without an ID token does not name the tokens' user.
  @Test func openIDWithoutAnIDTokenIsRejected() async throws {
    identity.issuer.set { $0.claims = nil }
    let failure = await failureOf { try await identity.signIn() }
    #expect(failure?.kind == .responseUntrusted && failure?.message.contains("no ID token") == true)
    #expect(try identity.grant == nil)
    // `openid` was not granted.
    identity.issuer.set { $0.tokenMembers.append(.init("scope", "read")) }
    #expect(try await identity.signIn().subject == nil)
  }

  @Test func withoutAnIssuerNoIDTokenIsExpected() async throws {
    identity.issuer.set { $0.claims = nil }
    #expect(try await identity.signIn(IdentityStage.request(with: [.init("issuer", .null)])).subject == nil)
  }
}
