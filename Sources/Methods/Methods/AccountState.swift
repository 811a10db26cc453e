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
    let login = stored?.grant
    let canRefresh = configured == true || login?.canRefresh(at: now) ?? false
    let other = derived.flatMap { login?.other($0.terms) }
    // An entry without a token has none of the members of one.
    let grant = derived == nil ? login : other.flatMap { login?.using($0) }
    let isValid = grant?.isUsable(at: now) ?? false
    members.add("account", account, "The account's name.")
    members.add(optional: "login", derived?.login, "The account with the login, if this one is a name for another token of it.")
    members.add("canAuthorize", isValid || canRefresh, "Whether the account is usable without a sign-in, as far as the process knows.")
    let isUntried = (isValid || canRefresh) && grant?.isUntried(usedAt: usedAt) == true
    members.add(
      optional: "untried", isUntried ? true : nil,
      "Whether the grant was imported and has not been used since, so that the provider may not accept it.")
    members.add(optional: "problem", problem ?? login?.problem(at: now)?.rawValue, Grant.Problem.documentation)
    members.add(
      optional: "inDoubt", grant.flatMap { $0.isInDoubt ? true : nil },
      "Whether a service has rejected the access token without saying that it has ended. The next successful call ends the doubt.")
    members.add(optional: "configured", configured == nil ? nil : true, "Whether the configuration names the account.")
    members.add(
      optional: "signedIn", configured == nil ? nil : login != nil, "Whether a configured account has a grant.")
    members.add(optional: "provider", grant?.providerName, "The provider's name for users.")
    members.add(optional: "preset", grant?.preset, "The provider's name for `authorize`, if it has one.")
    members.add(
      optional: "clientId", grant.flatMap { $0.client.id.isEmpty ? nil : $0.client.id },
      "The ID of the client with the grant.")
    members.add(
      optional: "grantedScopes", grant.flatMap { $0.unknownScopes == nil ? $0.grantedScopes : nil },
      "The granted scopes, if they are known. An imported grant may not name them.")
    members.add(
      optional: "missingScopes", grant.flatMap { $0.declinedScopes.isEmpty ? nil : $0.declinedScopes },
      "The scopes that the user or the provider declined.")
    members.add(
      optional: "confirmed", other?.isConfirmed,
      "Whether the server showed that the other token has what was asked. Otherwise it is as asked.")
    members.add(
      optional: "lostScopes", derived != nil ? nil : grant.flatMap { $0.lostScopes.isEmpty ? nil : $0.lostScopes },
      "The scopes that the server has taken from the login since another token of it was asked for. A sign-in brings them back.")
    members.add(optional: "tokenType", grant?.tokenType, "The access token's type.")
    members.add(optional: "expiresAt", grant?.expiresAt, "When the access token expires, in Unix seconds.")
    members.add(optional: "refreshedAt", grant?.issuedAt, "When the process received the access token, in Unix seconds.")
    members.add(
      optional: "usedAt", grant == nil ? nil : usedAt,
      "When a process last used a token of the account, in Unix seconds. The time may be a minute too early.")
    members.add("canRefresh", canRefresh, "Whether the process can replace the access token without a sign-in.")
    members.add(optional: "subject", grant?.subject, "The user's identifier at the provider.")
    members.add(optional: "email", grant?.email, "The user's e-mail address.")
    members.add(
      optional: "attributes", grant.flatMap { $0.attributes.pairs.isEmpty ? nil : $0.attributes },
      "Further attributes of the user from the provider.")
    members.add(
      optional: "key", grant == nil ? nil : key, "The place of the key that seals the account's grant: `file`, `keyring` or `command`.")
    members.add(optional: "signIn", signIn, "The open sign-in of the account.")
  }
}
