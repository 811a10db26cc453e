import Jansson
import OAuthCore
import Plans
import Store

/// Accounts of the configuration that are names for other tokens of a login.
extension Accounts {
  /// Returns the tokens of an account as a request names them. A request names `terms` only for a login, and only without limits: with them, the
  /// user's configuration says what a client may ask for.
  package func tokens(of name: String, asking terms: TokenTerms = TokenTerms()) throws -> AccountTokens {
    if !terms.isEmpty, let rule = dependencies.limits.anyRule {
      throw Limits.failure(rule, "an entry with login in the configuration names what a client with limits may ask for", account: name)
    }
    guard let derived = derived(name) else {
      return AccountTokens(name: name, login: self[name], terms: terms.isEmpty ? nil : terms, derived: nil)
    }
    if isDerived(derived.login) {
      let place = ObjectReader.pointer(to: "login", in: ObjectReader.pointer(to: name, in: "/accounts"))
      throw OAuthFailure.misconfigured(place, "\(place) of the configuration names an entry without a login of its own").of(name)
    }
    if !terms.isEmpty { throw FieldError("/account", "names an entry of the configuration, which says what its token is for") }
    return AccountTokens(name: name, login: self[derived.login], terms: derived.terms, derived: derived)
  }

  /// Whether the name is that of an entry with `login`, which has no login of its own.
  package func isDerived(_ name: String) -> Bool { derived(name) != nil }

  /// Returns the name of the account with the login.
  package func login(of name: String) -> String { derived(name)?.login ?? name }

  /// Throws if the name is that of such an entry.
  package func checkLogin(_ name: String?) throws {
    guard let name, let login = derived(name)?.login else { return }
    throw FieldError("/account", "names an entry of the configuration without a login of its own", ": use its login, \(login.plain)")
  }
}
