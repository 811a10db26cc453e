import Jansson

/// Scopes with two names (`scopeAliases`): the client requests them by one, and the provider grants them by the other.
struct ScopeNames: Sendable {
  private let aliases: [JSON.Member]

  /// `json` is the `scopeAliases` member of the provider's description.
  init(_ json: JSON?) { aliases = json?.members ?? [] }

  /// Returns the scope and its other names. The scope may be either of the two.
  func all(of scope: String) -> [String] {
    [scope] + aliases.filter { $0.name == scope }.compactMap(\.value.string) + aliases.filter { $0.value.string == scope }.map(\.name)
  }
}
