import Jansson
import OAuthCore
import Store

/// An entry of the configuration that names another token of a login. It has no login of its own.
package struct DerivedAccount: Sendable {
  /// Returns the entry of this name; nil if there is none that can be read.
  package typealias Reader = @Sendable (_ name: String) -> DerivedAccount?

  /// The name of the account with the login.
  package var login: String
  package var terms = TokenTerms()
  /// The members of the provider's description that count for the token: `apiBase`, `apiHosts` and `apiHeaders`.
  package var api: [JSON.Member] = []

  /// The members of a description in whose place an entry with hosts of its own has others, or none.
  package static let ofHosts: Set = ["apiBase", "apiHosts", "apiHeaders", "gitHosts", "registryHosts"]

  /// Reads an entry that names a login. Its other members would belong to a login of its own, and are unknown here.
  init?(_ fields: inout ObjectReader) throws(FieldError) {
    let login: String? = try fields.optional(
      "login",
      "The account whose login the token is of. The entry has no login of its own: `scopes`, `resource` and `audience` say what the token is "
        + "for, and `apiBase` and `apiHosts` where it goes.")
    let base: String? = try fields.optional("apiBase", "The base of URLs for the token of an entry with `login`.")
    let hosts: [String]? = try fields.optional(
      "apiHosts", "The only hosts that receive the token of an entry with `login`. Without it and `apiBase`, they are those of the login.")
    let headers: NamedValues<String>? = try fields.optional("apiHeaders", "Headers of each call with the token of an entry with `login`.")
    guard !fields.isDescribing else { return nil }
    guard let login else {
      let own = [("apiBase", base != nil), ("apiHosts", hosts != nil), ("apiHeaders", headers != nil)].first(where: \.1)
      if let own { throw FieldError(fields.pointer(own.0), "belongs to an entry with login, or into the provider's description") }
      return nil
    }
    self.login = login
    terms = try TokenTerms(&fields)
    if terms.isEmpty { throw FieldError(fields.pointer("login"), "needs scopes, a resource or an audience beside it") }
    let place = base.flatMap { try? URLParts($0) }
    if base != nil, place == nil { throw FieldError(fields.pointer("apiBase"), "must be an absolute URL without {names}") }
    let hostsOfBase = place.map { [JSON.string($0.hostAndPort)] }
    api = [
      base.map { .init("apiBase", .string($0)) },
      (hosts?.map(JSON.string) ?? hostsOfBase).map { .init("apiHosts", .array($0)) },
      headers.map { .init("apiHeaders", .object($0.pairs.map { .init($0.name, .string($0.value)) })) },
    ].compactMap(\.self)
    try fields.rejectUnknownMembers(among: ["login", "scopes", "resource", "audience", "apiBase", "apiHosts", "apiHeaders"])
    // A wrong one is told with its place in the file, and not at each call.
    do throws(FieldError) { _ = try Provider.decode(.object(api)) } catch {
      throw FieldError(fields.path + error.path, error.problem)
    }
  }
}
