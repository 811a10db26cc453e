import Jansson
import Synchronization
import Testing

@testable import OAuth

/// Sign-ins from the page to the grant, against a provider of prepared answers.
@Suite struct OpenIDSignInTests {
  static func request(_ members: [JSON.Member], clientId: String? = nil) -> AuthorizeRequest {
    var request = AuthorizeRequest()
    request.account = "a"
    request.provider = .description([.init("protocol", "openid2")] + members)
    request.clientId = clientId
    request.clientSecret = clientId.map { _ in Secret("client-secret") }
    request.redirectUri = "https://app.example/cb"
    request.opensBrowser = false
    request.waits = false
    return request
  }

  static let endpoint: [JSON.Member] = [.init("openidEndpoint", "https://op.example/e"), .init("openidSession", "no-encryption")]
  static let direct: [JSON.Member] = endpoint + [.init("openidClaimedIds", "https://op.example/id/")]

  /// An association with the sample's key, for as long as it is told.
  static func association(_ seconds: Int = 100_000, handle: String = "{h}") -> String {
    "ns:http://specs.openid.net/auth/2.0\nassoc_handle:\(handle)\nassoc_type:HMAC-SHA256\nsession_type:no-encryption\nexpires_in:\(seconds)\n"
      + "mac_key:\(Base64.encode(SampleAssertion.key))\n"
  }

  /// The answer to the page, by the sample's key.
  func answer(_ url: String, _ change: (inout SampleAssertion) -> Void = { _ in }) throws -> String {
    let returnTo = try #require(Stage.parameter("openid.return_to", of: url))
    var sample = SampleAssertion()
    sample.set("return_to", returnTo)
    sample.set("claimed_id", "https://op.example/id/7")
    sample.set("identity", "https://op.example/id/7")
    let state = Stage.parameter("state", of: returnTo)
    sample.query = state.map { [("state", $0)] } ?? []
    change(&sample)
    let pairs = try sample.parameters().map { ($0.name, $0.value) }
    return "https://app.example/cb?" + FormEncoding.encode(pairs)
  }

  func end(_ stage: Stage) async throws -> Grant? {
    _ = await soon { stage.told.contains { $0.hasPrefix("authorized") || $0.hasPrefix("failed") } }
    return try stage.store.read("a")
  }

  func failure(_ stage: Stage) -> OAuthFailure? {
    stage.facts.compactMap { if case .failed(let failure) = $0.fact { failure } else { nil } }.last
  }

  @Test func signsIn() async throws {
    let http = PreparedAnswers()
    http.add(body: Self.association())
    let stage = Stage(http)
    let (prompt, _) = try await stage.begin(Self.request(Self.direct))
    #expect(
      Stage.parameter("openid.assoc_handle", of: prompt.url) == "{h}"
        && Stage.parameter("openid.realm", of: prompt.url) == "https://app.example/cb")
    #expect(try await stage.accounts.handleRedirect(try answer(prompt.url)))
    let grant = try #require(try await end(stage))
    #expect(grant.subject == "https://op.example/id/7" && grant.accessToken == nil && grant.tokenType == nil && http.requests.count == 1)
    // The key is kept for the next sign-in, which takes another nonce.
    var again = Self.request(Self.direct)
    again.interaction = .always
    let second = try await stage.begin(again).prompt
    #expect(try await stage.accounts.handleRedirect(try answer(second.url) { $0.set("response_nonce", "1970-01-12T13:46:41Zabc") }))
    #expect(await soon { stage.told.count { $0 == "authorized signedIn" } == 2 } && http.requests.count == 1)
  }

  @Test func aNonceTwice() async throws {
    let http = PreparedAnswers()
    http.add(body: Self.association())
    let stage = Stage(http)
    let first = try await stage.begin(Self.request(Self.direct)).prompt
    #expect(try await stage.accounts.handleRedirect(try answer(first.url)))
    var again = Self.request(Self.direct)
    again.interaction = .always
    let second = try await stage.begin(again).prompt
    #expect(try await stage.accounts.handleRedirect(try answer(second.url)))
    #expect(await soon { stage.told.contains("failed responseUntrusted") })
    #expect(failure(stage)?.message.contains("nonce") == true)
  }

  /// A key that ends before somebody may come back is of no use for a new sign-in, and one that has ended meanwhile proves nothing.
  @Test func keysThatEnd() async throws {
    let http = PreparedAnswers()
    http.add(body: Self.association(200))
    http.add(body: Self.association(400, handle: "{second}"))
    http.add(body: "is_valid:false\n")
    let stage = Stage(http)
    _ = try await stage.begin(Self.request(Self.direct))
    await stage.accounts.abandonAllSignIns()
    let prompt = try await stage.begin(Self.request(Self.direct)).prompt
    #expect(Stage.parameter("openid.assoc_handle", of: prompt.url) == "{second}")
    stage.clock.advance(400)
    #expect(try await stage.accounts.handleRedirect(try answer(prompt.url) { $0.set("assoc_handle", "{second}") }))
    _ = try await end(stage)
    #expect(http.requests.last?.field("openid.mode") == "check_authentication" && failure(stage)?.kind == .responseUntrusted)
  }

  @Test func theProviderChoosesAnotherKind() async throws {
    let http = PreparedAnswers()
    http.add(status: 400, body: "error:x\nerror_code:unsupported-type\nassoc_type:HMAC-SHA256\nsession_type:no-encryption\n")
    http.add(body: Self.association())
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request([.init("openidEndpoint", "https://op.example/e")])).prompt
    #expect(http.requests.map { $0.field("openid.session_type") } == ["DH-SHA256", "no-encryption"])
    #expect(Stage.parameter("openid.assoc_handle", of: prompt.url) == "{h}")
  }

  /// It is asked once more and no oftener; a kind that was pinned is not given up.
  @Test func theProviderChoosesForEver() async throws {
    let http = PreparedAnswers()
    let told = "error:x\nerror_code:unsupported-type\nassoc_type:HMAC-SHA1\nsession_type:DH-SHA1\n"
    for _ in 0..<5 { http.add(status: 400, body: told) }
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request([.init("openidEndpoint", "https://op.example/e")])).prompt
    #expect(http.requests.count == 2 && Stage.parameter("openid.assoc_handle", of: prompt.url) == nil)
    await stage.accounts.abandonAllSignIns()
    _ = try await stage.begin(Self.request(Self.endpoint))
    #expect(http.requests.count == 3)
  }

  @Test func aShortKey() async throws {
    let http = PreparedAnswers()
    http.add(body: Self.association().split(separator: "mac_key:")[0] + "mac_key:AAECAw==\n")
    let stage = Stage(http)
    let failure = await failureOf { try await stage.begin(Self.request(Self.direct)) }
    #expect(failure?.kind == .responseUntrusted && failure?.account == "a")
  }

  /// A provider that forgot the key answers with one of its own and says which is gone; ours is dropped only when it confirms that.
  @Test(arguments: [true, false])
  func forgottenKeys(isConfirmed: Bool) async throws {
    let http = PreparedAnswers()
    http.add(body: Self.association())
    http.add(body: "is_valid:true\n" + (isConfirmed ? "invalidate_handle:{h}\n" : ""))
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request(Self.direct)).prompt
    #expect(
      try await stage.accounts.handleRedirect(
        try answer(prompt.url) {
          $0.set("assoc_handle", "{private}")
          $0.set("invalidate_handle", "{h}")
        }))
    #expect(try await end(stage)?.subject == "https://op.example/id/7")
    #expect((stage.accounts.surroundings.openid.association(of: "https://op.example/e", until: 0) == nil) == isConfirmed)
  }

  /// The identifier that the provider chose is looked up, and has to name that provider.
  @Test(arguments: [true, false])
  func identifiersAreLookedUp(isItsOwn: Bool) async throws {
    let http = PreparedAnswers()
    http.add(body: Self.association())
    http.add(body: "<link rel=openid2.provider href=https://\(isItsOwn ? "op" : "evil").example/e>")
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request(Self.endpoint)).prompt
    #expect(
      try await stage.accounts.handleRedirect(
        try answer(prompt.url) {
          $0.set("claimed_id", "https://me.example/#1")
          $0.set("identity", "https://me.example/")
        }))
    #expect(try await end(stage)?.subject == (isItsOwn ? "https://me.example/#1" : nil))
    #expect(http.requests.last?.url == "https://me.example/" && (failure(stage) == nil) == isItsOwn)
  }

  /// Only what the signature covers is kept.
  @Test func unsignedAttributes() async throws {
    let http = PreparedAnswers()
    http.add(body: Self.association())
    let stage = Stage(http)
    let attributes: JSON = ["required": ["email": "urn:email", "name": "urn:name"]]
    let prompt = try await stage.begin(Self.request(Self.direct + [.init("openidAttributes", attributes)])).prompt
    let redirect = try answer(prompt.url) { sample in
      for (name, value) in [
        ("ns.ax", OpenIDMessage.attributeExchange), ("ax.type.email", "urn:email"), ("ax.value.email", "a@b.example"),
        ("ax.type.name", "urn:name"), ("ax.value.name", "forged"),
      ] {
        sample.set(name, value)
        if value != "forged" { sample.signed.append(name) }
      }
    }
    #expect(try await stage.accounts.handleRedirect(redirect))
    let grant = try #require(try await end(stage))
    #expect(grant.attributes.pairs.map(\.name) == ["email"] && grant.email == "a@b.example")
  }

  @Test func aTruncatedRedirect() async throws {
    let http = PreparedAnswers()
    http.add(body: Self.association())
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request(Self.direct)).prompt
    let whole = try answer(prompt.url)
    // Cut inside its last field, which is the signature, it is ours and not to be trusted.
    #expect(try await stage.accounts.handleRedirect(String(whole.dropLast(12))))
    _ = try await end(stage)
    #expect(failure(stage)?.kind == .responseUntrusted)
  }

  /// A provider that speaks OpenID 1.1 alone: one identifier, no nonce but our state, and always asked.
  @Test(arguments: ["https://op.example/me", "https://op.example/you"])
  func theFirstVersion(identity: String) async throws {
    let http = PreparedAnswers()
    http.add(body: "<link rel=openid.server href=https://op.example/><link rel=openid.delegate href=https://op.example/me>")
    http.add(body: "is_valid:true\n")
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request([.init("openidIdentifier", "me.example")])).prompt
    #expect(http.requests.map(\.url) == ["https://me.example/"])
    let returnTo = try #require(Stage.parameter("openid.return_to", of: prompt.url))
    #expect(
      prompt.url == "https://op.example/?openid.mode=checkid_setup&openid.identity=https%3A%2F%2Fop.example%2Fme&openid.return_to="
        + PercentEncoding.encode(returnTo) + "&openid.trust_root=https%3A%2F%2Fapp.example%2Fcb")
    var sample = SampleAssertion()
    sample.fields = [("mode", "id_res"), ("identity", identity), ("return_to", returnTo), ("assoc_handle", "h")]
    sample.signed = ["mode", "identity", "return_to"]
    sample.query = [("state", Stage.parameter("state", of: returnTo) ?? "")]
    let redirect = "https://app.example/cb?" + FormEncoding.encode(try sample.parameters().map { ($0.name, $0.value) })
    #expect(try await stage.accounts.handleRedirect(redirect))
    let isMine = identity.hasSuffix("me")
    #expect(try await end(stage)?.subject == (isMine ? "https://me.example/" : nil))
    #expect(http.requests.last?.field("openid.mode") == "check_authentication" && (failure(stage) == nil) == isMine)
  }

  @Test func whatIsMissing() async throws {
    let stage = Stage(PreparedAnswers())
    #expect(await failureOf { try await stage.begin(Self.request([])) }?["path"] == "/provider/openidEndpoint")
    // OpenID knows no clients; its hybrids do.
    await #expect(throws: FieldError.self) {
      try await stage.begin(Self.request(Self.endpoint + [.init("openidClientParameter", "openid.x.client")]))
    }
  }
}
