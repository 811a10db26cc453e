import Jansson
import OAuthCore
import Store

/// The result of `authorize`: the state of the account, without secrets.
package struct Authorization: Sendable, Equatable {
  package var account: String
  /// nil while a sign-in is pending.
  package var via: Authorization.Source?
  package var grantedScopes: [String] = []
  package var missingScopes: [String] = []
  package var tokenType: String?
  package var expiresAt: Int?
  package var canRefresh = false
  package var subject: String?
  package var email: String?
  package var signIn: SignInPrompt?
  /// Whether this sign-in changed the account's user.
  package var subjectChanged = false

  init(_ grant: Grant, via: Authorization.Source, asked: [String], now: Int) {
    account = grant.account
    self.via = via
    grantedScopes = grant.grantedScopes
    missingScopes = grant.missing(of: asked)
    tokenType = grant.tokenType
    expiresAt = grant.expiresAt
    canRefresh = grant.canRefresh(at: now)
    subject = grant.subject
    email = grant.email
  }

  package static var sample: Authorization { Authorization(pending: .sample, account: "") }

  /// The account without a grant: only its name.
  package init(account: String) { self.account = account }

  init(pending prompt: SignInPrompt, account: String) { (self.account, signIn) = (account, prompt) }
}

extension Authorization {
  /// How a grant came to be usable.
  package enum Source: String, DescribedEnum {
    case stored, refreshed, signedIn
  }
}

/// Where the accounts' events go.
package protocol EventSink: Sendable {
  /// Whether the client wants to know of the accounts' changes by other processes.
  var reportsChanges: Bool { get }

  func emit(_ event: AccountEvent)

  /// Reports a failure for which no request waits.
  func report(_ failure: OAuthFailure)
}
