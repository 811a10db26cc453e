import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// The page that ends the provider's own session. Forgetting an account returns its URL; the process does not open it.
struct LogoutTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private func keep(_ members: [JSON.Member], _ change: (inout Grant) -> Void = { _ in }) async throws {
    try await stage.keep { grant in
      grant.provider = .object(Stage.provider + members)
      change(&grant)
    }
  }

  private static let end = JSON.Member("endSessionEndpoint", "https://id.example/logout?v=1")

  /// The ID token is never sent, whatever the description says. `OptionsTests` checks that such a description is rejected.
  @Test(
    arguments: [
      ("{}", nil, "https://id.example/logout?v=1"),
      (#"{"who":"{subject}","x":"{email}"}"#, "id", "https://id.example/logout?v=1&who=s%2F1"),
      (#"{"a":"b {clientId}"}"#, "id", "https://id.example/logout?v=1&a=b%20client"),
    ] as [(String, String?, String?)])
  func parametersOfTheDescriptionsOwn(parameters: String, idToken: String?, url: String?) async throws {
    try await keep([Self.end, .init("endSessionParameters", try JSON.parse(Array(parameters.utf8)))]) { grant in
      grant.subject = "s/1"
      grant.idToken = idToken.map(Secret.init)
    }
    #expect(try await stage.accounts.signOut("a").logoutURL == url)
  }

  /// An account can be forgotten even if its stored description is invalid.
  @Test func aBrokenDescriptionIsForgottenToo() async throws {
    try await stage.keep { $0.provider = ["endSessionEndpoint": "nonsense"] }
    let (wasSignedIn, url) = try await stage.accounts.signOut("a")
    #expect(wasSignedIn && url == nil)
    #expect(try stage.store.read("a") == nil)
  }

  @Test(
    arguments: [
      ("microsoft", [:], "https://login.microsoftonline.com/common/oauth2/v2.0/logout?client_id=client"),
      ("microsoft-china", [:], "https://login.partner.microsoftonline.cn/common/oauth2/v2.0/logout?client_id=client"),
      ("okta", ["domain": "x.okta.com"], nil),
      ("auth0", ["domain": "x.auth0.com"], "https://x.auth0.com/oidc/logout?client_id=client"),
      (
        "keycloak", ["host": "id.example", "realm": "staff"],
        "https://id.example/realms/staff/protocol/openid-connect/logout?client_id=client&logout_hint=a%40example.com"
      ),
      ("spark", [:], "https://sparkplatform.com/openid/logout"), ("spark-oidc", [:], "https://sparkplatform.com/openid/logout"),
      ("spark-openid", [:], "https://sparkplatform.com/openid/logout"), ("google", [:], nil), ("gitlab", [:], nil),
    ] as [(String, JSON, String?)])
  func catalog(name: String, variables: JSON, url: String?) async throws {
    let provider = try ProviderCatalog.builtIn.resolve(.description([.init("preset", .string(name)), .init("variables", variables)]))
    try await stage.keep { grant in
      grant.provider = provider.source
      grant.email = "a@example.com"
      grant.idToken = Secret("id")
    }
    #expect(try await stage.accounts.signOut("a").logoutURL == url)
  }
}
