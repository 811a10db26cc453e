import Jansson

@testable import OAuth

extension Provider {
  /// A provider as its description has it, over endpoints of its own.
  static func described(_ members: String = "{}") throws -> Provider {
    let base: [JSON.Member] = [
      .init("authorizationEndpoint", "https://id.example/authorize"), .init("tokenEndpoint", "https://id.example/token"),
    ]
    let own = try JSON.parse(Array(members.utf8)).members ?? []
    return try Presets.builtIn.resolve(.description(Presets.merge(own, over: base)))
  }
}
