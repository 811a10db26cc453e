import Jansson

@testable import OAuthCore
@testable import Plans
@testable import Platform

extension Provider {
  /// Returns a provider with these members and default endpoints.
  static func described(_ members: String = "{}") throws -> Provider {
    let base: [JSON.Member] = [
      .init("authorizationEndpoint", "https://id.example/authorize"), .init("tokenEndpoint", "https://id.example/token"),
    ]
    let own = try JSON.parse(Array(members.utf8)).members ?? []
    return try ProviderCatalog.builtIn.resolve(.description(ProviderCatalog.merge(own, over: base)))
  }
}
