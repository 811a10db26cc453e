import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

/// The endpoints that receive a client's secret. With one of them on another host, it is another provider for the secret.
struct SecretPlacesTests {
  @Test(arguments: [
    "tokenEndpoint", "refreshEndpoint", "introspectionEndpoint", "revocationEndpoint", "deviceAuthorizationEndpoint",
    "pushedAuthorizationRequestEndpoint",
  ])
  func oneForeignEndpointMakesAnotherProvider(member: String) throws {
    let known = try ProviderCatalog.builtIn.resolve(.description(Stage.provider))
    let moved = [JSON.Member(member, .string("https://evil.example/x"))]
    let provider = try ProviderCatalog.builtIn.resolve(.description(ProviderCatalog.merge(moved, over: Stage.provider)))
    #expect(!provider.sendsSecretsNowhereElse(than: known) && known.sendsSecretsNowhereElse(than: known))
  }
}
