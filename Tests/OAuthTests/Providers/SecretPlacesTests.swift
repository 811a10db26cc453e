import Jansson
import Testing

@testable import OAuth

/// The places that a client's secret is sent to: one of them elsewhere makes it another provider for the secret.
struct SecretPlacesTests {
  @Test(arguments: [
    "tokenEndpoint", "refreshEndpoint", "introspectionEndpoint", "revocationEndpoint", "deviceAuthorizationEndpoint",
    "pushedAuthorizationRequestEndpoint",
  ])
  func oneElsewhereIsAnotherProvider(member: String) throws {
    let known = try Presets.builtIn.resolve(.description(Stage.provider))
    let moved = [JSON.Member(member, .string("https://evil.example/x"))]
    let provider = try Presets.builtIn.resolve(.description(Presets.merge(moved, over: Stage.provider)))
    #expect(!provider.sendsSecretsNowhereElse(than: known) && known.sendsSecretsNowhereElse(than: known))
  }
}
