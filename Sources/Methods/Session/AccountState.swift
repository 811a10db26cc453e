import Jansson
import OAuth
import Store

/// The public state of an account.
struct AccountState: NestedObject {
  static var sample: AccountState {
    AccountState(
      account: "", summary: AccountSummary(.sample), usedAt: 0, problem: "", key: "", configured: .init(isForClient: false),
      signIn: .sample, now: 0)
  }

  var account: String
  var summary: AccountSummary?
  /// When a credential of the account was last used, in Unix seconds.
  var usedAt: Int?
  /// Why the grant or the entry in the configuration cannot be read.
  var problem: String?
  /// Where the key is that seals the grant.
  var key: String?
  /// The account's entry in the configuration.
  var configured: ConfiguredNames.Entry?
  var signIn: SignInPrompt?
  var now: Int

  func list(_ members: inout ObjectWriter) {
    let canRefresh = configured?.isForClient == true || summary?.canRefresh(at: now) ?? false
    let isValid = summary?.isValid(at: now) ?? false
    members.add("account", account, "The account's name.")
    members.add("canAuthorize", isValid || canRefresh, "Whether the account is usable without a sign-in, as far as the process knows.")
    let isUntried = (isValid || canRefresh) && summary?.isUntried(usedAt: usedAt) == true
    members.add(
      optional: "untried", isUntried ? true : nil,
      "Whether the grant was imported and has not been used since, so that the provider may not accept it.")
    members.add(optional: "problem", problem ?? summary?.problem(at: now)?.rawValue, AccountSummary.Problem.documentation)
    members.add(
      optional: "inDoubt", summary?.isInDoubt == true ? true : nil,
      "Whether a service has rejected the access token without saying that it has ended. The next successful call ends the doubt.")
    members.add(optional: "configured", configured == nil ? nil : true, "Whether the configuration names the account.")
    members.add(
      optional: "signedIn", configured == nil ? nil : summary != nil, "Whether a configured account has a grant.")
    members.add(optional: "provider", summary?.providerName, "The provider's name for users.")
    members.add(optional: "preset", summary?.preset, "The provider's name for `authorize`, if it has one.")
    members.add(
      optional: "clientId", summary?.clientId,
      "The ID of the client with the grant.")
    members.add(
      optional: "grantedScopes", summary?.grantedScopes,
      "The granted scopes, if they are known. An imported grant may not name them.")
    members.add(
      optional: "missingScopes", summary.flatMap { $0.declinedScopes.isEmpty ? nil : $0.declinedScopes },
      "The scopes that the user or the provider declined.")
    members.add(optional: "tokenType", summary?.tokenType, "The access token's type.")
    members.add(optional: "expiresAt", summary?.expiresAt, "When the access token expires, in Unix seconds.")
    members.add(optional: "refreshedAt", summary?.refreshedAt, "When the process received the access token, in Unix seconds.")
    members.add(
      optional: "usedAt", summary == nil ? nil : usedAt,
      "When a process last used a token of the account, in Unix seconds. The time may be a minute too early.")
    members.add("canRefresh", canRefresh, "Whether the process can replace the access token without a sign-in.")
    members.add(optional: "subject", summary?.subject, "The user's identifier at the provider.")
    members.add(optional: "email", summary?.email, "The user's e-mail address.")
    members.add(
      optional: "attributes", summary.flatMap { $0.attributes.pairs.isEmpty ? nil : $0.attributes },
      "Further attributes of the user from the provider.")
    members.add(
      optional: "key", summary == nil ? nil : key, "The place of the key that seals the account's grant: `file`, `keyring` or `command`.")
    members.add(optional: "signIn", signIn, "The open sign-in of the account.")
  }
}
