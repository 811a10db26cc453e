import Jansson
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// The users that an assertion may name.
extension OpenID2FlowTests {
  /// A lookup would send a request to a service on this machine.
  @Test(arguments: ["http://127.0.0.1:8080/admin", "https://127.1/", "http://[::1]/", "https://localhost/x"])
  func anIdentifierOnThisMachineIsNotLookedUp(identifier: String) async throws {
    let http = PreparedResponses([Self.verification])
    http.add(body: "<link rel=openid2.provider href=https://op.example/e>")
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request(Self.endpoint)).prompt
    #expect(
      try await stage.accounts.handleRedirect(
        try response(prompt.url) {
          $0.set("claimed_id", identifier)
          $0.set("identity", identifier)
        }))
    #expect(try await end(stage) == nil && failure(stage)?.kind == .responseUntrusted && http.requests.count == 1)
  }

  private static func page(_ body: String, _ scope: NetworkScope) -> PreparedResponses.Response {
    { _ in
      var response = HTTPResponse(status: 200, body: Array(body.utf8))
      response.scope = scope
      return .success(response)
    }
  }

  private static func verification(_ scope: NetworkScope) -> PreparedResponses.Response {
    { request in
      var response = SampleAssertion.verification(request)
      response.scope = scope
      return .success(response)
    }
  }

  /// A name may also resolve to this machine. The lookup stays within the provider's scope unless the description names the host.
  @Test(
    arguments: [
      ([], .publicNetwork, .publicNetwork), ([], .privateNetwork, .privateNetwork),
      ([.init("apiHosts", ["me.example"])], .publicNetwork, .thisMachine),
    ] as [([JSON.Member], NetworkScope, NetworkScope)])
  func anIdentifierIsLookedUpWithinTheProvidersScope(members: [JSON.Member], scope: NetworkScope, limit: NetworkScope) async throws {
    let http = PreparedResponses([
      Self.verification(scope), Self.page("<link rel=openid2.provider href=https://op.example/e>", scope),
    ])
    let stage = Stage(http)
    let prompt = try await stage.begin(Self.request(Self.endpoint + members)).prompt
    try await finish(stage, prompt)
    #expect(http.requests.map(\.scopeLimit) == [.thisMachine, limit])
  }

  /// Finishes the sign-in with an identifier on the user's own host.
  private func finish(_ stage: Stage, _ prompt: SignInPrompt) async throws {
    let redirect = try response(prompt.url) {
      $0.set("claimed_id", "https://me.example/")
      $0.set("identity", "https://me.example/")
    }
    #expect(try await stage.accounts.handleRedirect(redirect))
    #expect(try await end(stage)?.subject == "https://me.example/")
  }

  /// A request to a discovered endpoint stays within the scope of the server that named it.
  @Test(arguments: [NetworkScope.publicNetwork, .privateNetwork])
  func aDiscoveredProviderIsAskedWithinTheScopeOfWhoNamedIt(scope: NetworkScope) async throws {
    let own: [JSON.Member] = [.init("openidIdentifier", "https://me.example/")]
    let named: [JSON.Member] = [.init("openidClaimedIds", "https://op.example/id/")]
    for (members, limit) in [(own, scope), (own + named, .thisMachine)] {
      let http = PreparedResponses([
        Self.page("<link rel=openid2.provider href=https://op.example/e>", scope), Self.verification(scope),
      ])
      let stage = Stage(http)
      let prompt = try await stage.begin(Self.request(members)).prompt
      try await finish(stage, prompt)
      #expect(http.requests.map(\.url) == ["https://me.example/", "https://op.example/e"])
      #expect(http.requests.map(\.scopeLimit) == [.thisMachine, limit])
    }
  }

  /// Only the account's own user may add scopes.
  @Test func anotherUserAddsNoScopes() async throws {
    let http = PreparedResponses([Self.verification, Self.verification])
    let stage = Stage(http)
    #expect(try await stage.accounts.handleRedirect(try response(try await stage.begin(Self.request(Self.direct)).prompt.url)))
    _ = try await end(stage)
    var request = Self.request([])
    request.provider = nil
    request.scopes = ["s"]
    let prompt = try #require(try await stage.accounts.addScopes(request).signIn)
    #expect(
      try await stage.accounts.handleRedirect(
        try response(prompt.url) {
          $0.set("claimed_id", "https://op.example/id/8")
          $0.set("identity", "https://op.example/id/8")
          $0.set("response_nonce", "1970-01-12T13:46:41Zabc")
        }))
    #expect(await soon { stage.told.contains("failed accessDenied") })
    #expect(try stage.store.read("a")?.subject == "https://op.example/id/7")
  }

  /// A value that JSON must not contain is not stored, although the provider has signed it.
  @Test func attributesArePlainText() async throws {
    let http = PreparedResponses([Self.verification])
    let stage = Stage(http)
    let attributes: JSON = ["required": ["email": "urn:email", "name": "urn:name"]]
    let prompt = try await stage.begin(Self.request(Self.direct + [.init("openidAttributes", attributes)])).prompt
    let redirect = try response(prompt.url) { sample in
      for (name, value) in [
        ("ns.ax", OpenIDMessage.attributeExchange), ("ax.type.email", "urn:email"), ("ax.value.email", "a\0@b.example"),
        ("ax.type.name", "urn:name"), ("ax.value.name", "Ann"),
      ] {
        sample.set(name, value)
        sample.signed.append(name)
      }
    }
    #expect(try await stage.accounts.handleRedirect(redirect))
    let grant = try #require(try await end(stage))
    #expect(grant.attributes.pairs.map(\.name) == ["name"] && grant.email == nil)
  }
}
