import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// The users that an assertion may name.
extension OpenID2FlowTests {
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
