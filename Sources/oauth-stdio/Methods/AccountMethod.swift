import JSONRPC
import Jansson
import OAuth

/// What is known of one account, without a secret and without the network.
struct AccountMethod: InlineMethod {
  static let name = "account"
  static let summary = "The account's state, without secrets and without the network."

  private let account: String

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
  }

  func run(_ call: Call, _ service: Service) throws -> AccountState {
    AccountState(account: account, grant: try service.accounts.stored(account), now: service.accounts.now)
  }
}

/// The states of all accounts that have a grant.
struct AccountsMethod: InlineMethod {
  static let name = "accounts"
  static let summary = "The states of all accounts with a grant."

  init(_ fields: inout Fields) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) throws -> Result {
    let now = service.accounts.now
    var states: [AccountState] = []
    for name in try service.accounts.names() {
      do throws(OAuthFailure) {
        states.append(AccountState(account: name, grant: try service.accounts.stored(name), now: now))
      } catch {
        // One that cannot be read is told of and listed as one that cannot be used, and does not hide the others.
        service.notifier.notify(ErrorOccured(error, account: name, request: call.id?.json))
        states.append(AccountState(account: name, grant: nil, now: now))
      }
    }
    return Result(accounts: states)
  }

  struct Result: Answer {
    static var sample: Result { Result(accounts: []) }

    var accounts: [AccountState]

    func list(_ members: inout Members) {
      members.add("accounts", accounts, "One for each account, by name.")
    }
  }
}

/// An account as others may see it.
struct AccountState: AnswerValue {
  static var sample: AccountState { AccountState(account: "", grant: .sample, now: 0) }

  var account: String
  var grant: Grant?
  var now: Int

  func list(_ members: inout Members) {
    let canRefresh = grant?.canRefresh(at: now) ?? false
    let lives = grant.map { $0.hasToken && $0.lives(for: 0, at: now) && !$0.isRefreshRefused } ?? false
    members.add("account", account, "The name under which the grant is kept.")
    members.add("canAuthorize", lives || canRefresh, "Whether it can be used without anybody signing in.")
    members.add(optional: "provider", grant?.providerName, "The provider's name.")
    members.add(
      optional: "clientId", grant.flatMap { $0.client.id.isEmpty ? nil : $0.client.id }, "The client that the grant was given to.")
    members.add(optional: "grantedScopes", grant?.grantedScopes, "What was granted.")
    members.add(optional: "missingScopes", grant?.declinedScopes.isEmpty == false ? grant?.declinedScopes : nil, "What was declined.")
    members.add(optional: "tokenType", grant?.tokenType, "How the access token is presented.")
    members.add(optional: "expiresAt", grant?.expiresAt, "When the access token ends, in Unix seconds.")
    members.add("canRefresh", canRefresh, "Whether the access token can be replaced.")
    members.add(optional: "subject", grant?.subject, "Who signed in.")
    members.add(optional: "email", grant?.email, "Their address.")
    members.add(
      optional: "attributes", grant.flatMap { $0.attributes.pairs.isEmpty ? nil : $0.attributes }, "What else the provider told of them.")
  }
}
