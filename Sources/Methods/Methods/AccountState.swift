import Jansson
import OAuth
import Plans
import Store

/// The public state of an account.
struct AccountState: NestedObject {
  static var sample: AccountState {
    AccountState(
      account: "", stored: StoredGrant(.sample), usedAt: 0, problem: "", key: "", configured: false, signIn: .sample, now: 0)
  }

  var account: String
  var stored: StoredGrant?
  /// When a credential of the account was last used, in Unix seconds.
  var usedAt: Int?
  /// Why the grant or the entry in the configuration cannot be read.
  var problem: String?
  /// Where the key is that seals the grant.
  var key: String?
  /// Whether the tokens are the client's own, as the configuration says; nil if it does not name the account.
  var configured: Bool?
  var signIn: SignInPrompt?
  /// The entry of the configuration if the account is a name for another token of a login. `stored` is then the login's.
  var derived: DerivedAccount?
  var now: Int

  func list(_ members: inout ObjectWriter) {
    let canRefresh = configured == true || self.stored?.grant.canRefresh(at: now) ?? false
    let (login, other) = (self.stored, derived.flatMap { self.stored?.grant.other($0.terms) })
    // An entry without a token has none of the members of one.
    let stored = derived == nil ? login : other.flatMap { other in login.map { StoredGrant($0.grant.using(other)) } }
    let isValid = stored.map { $0.grant.isUsable(at: now) } ?? false
    members.add("account", account, "The account's name.")
    members.add(optional: "login", derived?.login, "The account with the login, if this one is a name for another token of it.")
    members.add("canAuthorize", isValid || canRefresh, "Whether the account is usable without a sign-in, as far as the process knows.")
    let isUntried = (isValid || canRefresh) && stored.map { $0.grant.isUntried(usedAt: usedAt) } == true
    members.add(
      optional: "untried", isUntried ? true : nil,
      "Whether the grant was imported and has not been used since, so that the provider may not accept it.")
    members.add(optional: "problem", problem ?? login?.grant.problem(at: now)?.rawValue, Grant.Problem.documentation)
    members.add(
      optional: "inDoubt", stored.flatMap { $0.grant.isInDoubt ? true : nil },
      "Whether a service has rejected the access token without saying that it has ended. The next successful call ends the doubt.")
    members.add(optional: "configured", configured == nil ? nil : true, "Whether the configuration names the account.")
    members.add(
      optional: "signedIn", configured == nil ? nil : login != nil, "Whether a configured account has a grant.")
    members.add(optional: "provider", stored?.grant.providerName, "The provider's name for users.")
    members.add(optional: "preset", stored.flatMap { $0.grant.preset }, "The provider's name for `authorize`, if it has one.")
    members.add(
      optional: "clientId", stored.flatMap { $0.grant.client.id.isEmpty ? nil : $0.grant.client.id },
      "The ID of the client with the grant.")
    members.add(
      optional: "grantedScopes", stored.flatMap { $0.grant.unknownScopes == nil ? $0.grant.grantedScopes : nil },
      "The granted scopes, if they are known. An imported grant may not name them.")
    members.add(
      optional: "missingScopes", stored.flatMap { $0.grant.declinedScopes.isEmpty ? nil : $0.grant.declinedScopes },
      "The scopes that the user or the provider declined.")
    members.add(
      optional: "confirmed", other?.isConfirmed,
      "Whether the server showed that the other token has what was asked. Otherwise it is as asked.")
    members.add(
      optional: "lostScopes", derived != nil ? nil : stored.flatMap { $0.grant.lostScopes.isEmpty ? nil : $0.grant.lostScopes },
      "The scopes that the server has taken from the login since another token of it was asked for. A sign-in brings them back.")
    members.add(optional: "tokenType", stored?.grant.tokenType, "The access token's type.")
    members.add(optional: "expiresAt", stored.flatMap { $0.grant.expiresAt }, "When the access token expires, in Unix seconds.")
    members.add(optional: "refreshedAt", stored.map { $0.grant.issuedAt }, "When the process received the access token, in Unix seconds.")
    members.add(
      optional: "usedAt", stored == nil ? nil : usedAt,
      "When a process last used a token of the account, in Unix seconds. The time may be a minute too early.")
    members.add("canRefresh", canRefresh, "Whether the process can replace the access token without a sign-in.")
    members.add(optional: "subject", stored?.grant.subject, "The user's identifier at the provider.")
    members.add(optional: "email", stored?.grant.email, "The user's e-mail address.")
    members.add(
      optional: "attributes", stored.flatMap { $0.grant.attributes.pairs.isEmpty ? nil : $0.grant.attributes },
      "Further attributes of the user from the provider.")
    members.add(
      optional: "key", stored == nil ? nil : key, "The place of the key that seals the account's grant: `file`, `keyring` or `command`.")
    members.add(optional: "signIn", signIn, "The open sign-in of the account.")
  }
}
