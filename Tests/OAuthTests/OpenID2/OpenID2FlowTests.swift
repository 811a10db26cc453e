import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Sign-ins from the page to the grant, with a provider of prepared answers.
@Suite struct OpenID2FlowTests {
  static func request(_ members: [JSON.Member], clientId: String? = nil) -> AuthorizationInput {
    var request = AuthorizationInput()
    request.account = "a"
    request.provider = .description([.init("protocol", "openid2")] + members)
    request.clientId = clientId
    request.credentials.secret = clientId.map { _ in Secret("client-secret") }
    request.redirectUri = "https://app.example/cb"
    request.opensBrowser = false
    request.waits = false
    return request
  }

  static let endpoint: [JSON.Member] = [.init("openidEndpoint", "https://op.example/e")]
  static let direct: [JSON.Member] = endpoint + [.init("openidClaimedIds", "https://op.example/id/")]

  /// The provider's answer to a verification request.
  static let verification: PreparedResponses.Response = { .success(SampleAssertion.verification($0)) }

  /// Returns the redirect for the page, with the sample's signature.
  func response(_ url: String, _ change: (inout SampleAssertion) -> Void = { _ in }) throws -> String {
    let returnTo = try #require(Stage.parameter("openid.return_to", of: url))
    var sample = SampleAssertion()
    sample.set("return_to", returnTo)
    sample.set("claimed_id", "https://op.example/id/7")
    sample.set("identity", "https://op.example/id/7")
    let state = Stage.parameter("state", of: returnTo)
    sample.query = state.map { [("state", $0)] } ?? []
    change(&sample)
    let pairs = sample.parameters().map { ($0.name, $0.value) }
    return "https://app.example/cb?" + FormEncoding.encode(pairs)
  }

  func end(_ stage: Stage) async throws -> Grant? {
    _ = await soon { stage.told.contains { $0.hasPrefix("authorized") || $0.hasPrefix("failed") } }
    return try stage.store.read("a")
  }

  func failure(_ stage: Stage) -> OAuthFailure? {
    stage.facts.compactMap { if case .failed(let failure) = $0.kind { failure } else { nil } }.last
  }

  @Test func signsIn() async throws {
    let http = PreparedResponses([Self.verification, Self.verification])
    let stage = Stage(http)
    let (prompt, _) = try await stage.begin(Self.request(Self.direct))
    // No association is made, and no request is sent before the redirect.
    #expect(!prompt.url.contains("assoc_handle") && http.requests.isEmpty)
    #expect(Stage.parameter("openid.realm", of: prompt.url) == "https://app.example/cb")
    #expect(try await stage.accounts.handleRedirect(try response(prompt.url)))
    let grant = try #require(try await end(stage))
    #expect(grant.subject == "https://op.example/id/7" && grant.accessToken == nil && grant.tokenType == nil)
    // The next assertion has another nonce and is also verified.
    var again = Self.request(Self.direct)
    again.interaction = .always
    let second = try await stage.begin(again).prompt
    #expect(try await stage.accounts.handleRedirect(try response(second.url) { $0.set("response_nonce", "1970-01-12T13:46:41Zabc") }))
    #expect(await soon { stage.told.count { $0 == "authorized signedIn" } == 2 })
    #expect(http.requests.map(\.url) == ["https://op.example/e", "https://op.example/e"])
    #expect(http.requests.allSatisfy { $0.field("openid.mode") == "check_authentication" })
  }

  /// The nonce is rejected even if the provider confirms the same assertion twice.
  @Test func aNonceTwice() async throws {
    let http = PreparedResponses([Self.verification, Self.verification])
    let stage = Stage(http)
    let first = try await stage.begin(Self.request(Self.direct)).prompt
    #expect(try await stage.accounts.handleRedirect(try response(first.url)))
    _ = try await end(stage)
    var again = Self.request(Self.direct)
    again.interaction = .always
    let second = try await stage.begin(again).prompt
    #expect(try await stage.accounts.handleRedirect(try response(second.url)))
    #expect(await soon { stage.told.contains("failed responseUntrusted") })
    #expect(failure(stage)?.message.contains("nonce") == true)
  }

  /// An assertion is rejected unless the provider confirms it, whatever else is right.
  @Test(
    arguments: [
      (200, "ns:http://specs.openid.net/auth/2.0\nis_valid:false\n", .responseUntrusted), (200, "is_valid:yes\n", .responseUntrusted),
      (200, "ns:http://openid.net/signon/1.1\nis_valid:true\n", .responseUntrusted), (200, "<html>", .responseUntrusted),
      (400, "ns:http://specs.openid.net/auth/2.0\nis_valid:true\n", .authorizationServerError),
      (302, "ns:http://specs.openid.net/auth/2.0\nis_valid:true\n", .authorizationServerError),
    ] as [(Int, String, OAuthFailure.Kind)])
  func responsesThatTheProviderDoesNotConfirm(status: Int, body: String, kind: OAuthFailure.Kind) async throws {
    let http = PreparedResponses()
    http.add(status: status, body: body)
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request(Self.direct)).prompt
    #expect(try await stage.accounts.handleRedirect(try response(prompt.url)))
    #expect(try await end(stage) == nil && failure(stage)?.kind == kind && http.left == 0)
  }

  /// A provider may name an association that it has forgotten. The name is sent back with the verification, and has no other effect.
  @Test func invalidateHandle() async throws {
    let http = PreparedResponses([{ .success(SampleAssertion.verification($0, additions: "invalidate_handle:{shared}\n")) }])
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request(Self.direct)).prompt
    #expect(try await stage.accounts.handleRedirect(try response(prompt.url) { $0.set("invalidate_handle", "{shared}") }))
    #expect(try await end(stage)?.subject == "https://op.example/id/7")
    #expect(http.requests.map { $0.field("openid.invalidate_handle") } == ["{shared}"])
  }

  /// Only signed attributes are stored.
  @Test func unsignedAttributes() async throws {
    let http = PreparedResponses([Self.verification])
    let stage = Stage(http)
    let attributes: JSON = ["required": ["email": "urn:email", "name": "urn:name"]]
    let prompt = try await stage.begin(Self.request(Self.direct + [.init("openidAttributes", attributes)])).prompt
    let redirect = try response(prompt.url) { sample in
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
    let http = PreparedResponses([Self.verification])
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request(Self.direct)).prompt
    let whole = try response(prompt.url)
    // Cut inside its last field, the signature, the redirect is handled but not trusted.
    #expect(try await stage.accounts.handleRedirect(String(whole.dropLast(12))))
    _ = try await end(stage)
    #expect(failure(stage)?.kind == .responseUntrusted)
  }

  @Test func whatIsMissing() async throws {
    let stage = Stage(PreparedResponses())
    #expect(await failureOf { try await stage.begin(Self.request([])) }?["path"] == "/provider/openidEndpoint")
    #expect(await failureOf { try await stage.begin(Self.request(Self.endpoint)) }?["path"] == "/provider/openidClaimedIds")
    // OpenID has no clients; its hybrids have them.
    await #expect(throws: FieldError.self) {
      try await stage.begin(Self.request(Self.endpoint + [.init("openidClientParameter", "openid.x.client")]))
    }
  }
}
