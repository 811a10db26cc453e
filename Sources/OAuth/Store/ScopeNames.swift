import Jansson

/// A provider's scopes that have two names: asked for by the one, granted by the other (`scopeAliases`).
struct ScopeNames: Sendable {
  private let aliases: [JSON.Member]

  /// `json` is the member of the provider's description, as it is kept with a grant.
  init(_ json: JSON?) { aliases = json?.members ?? [] }

  /// The scope, and its other name where it has one; from whichever side it is looked at.
  func all(of scope: String) -> [String] {
    [scope] + aliases.filter { $0.name == scope }.compactMap(\.value.string) + aliases.filter { $0.value.string == scope }.map(\.name)
  }
}
