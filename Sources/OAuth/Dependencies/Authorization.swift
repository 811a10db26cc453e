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
  package enum Source: String, StringEnum {
    case stored, refreshed, signedIn

    package var documentation: String {
      switch self {
      case .stored: "The stored grant was valid."
      case .refreshed: "The process refreshed the grant."
      case .signedIn: "The user signed in, or the client got the grant for itself."
      }
    }
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

/// An event of an account. Events are sent in the order in which they happen.
package struct AccountEvent: Sendable {
  package enum Kind: Sendable {
    case authorized(Authorization)
    case signInRequested(SignInPrompt)
    /// `cancelled`, `timedOut` or `ended`.
    case signInAbandoned(id: String, reason: String)
    case refreshed(expiresAt: Int?, refreshTokenChanged: Bool)
    case revoked(Revocation)
    case changed(Change, by: Origin)
    case failed(OAuthFailure)
  }

  /// What happened to an account's grant.
  package enum Change: String, StringEnum {
    package static let schemaName: String? = "AccountChange"

    case signedIn, refreshed, signedOut, revoked, rejected, removed

    package var documentation: String {
      switch self {
      case .signedIn: "The account has a grant of a new sign-in or import."
      case .refreshed: "The account has a new access token."
      case .signedOut: "`signOut` deleted the grant."
      case .revoked: "`revoke` deleted the grant."
      case .rejected: "The provider rejected the grant's tokens. The user must sign in again."
      case .removed: "The grant is gone: another process or the user deleted it, or a cancelled sign-in was undone."
      }
    }
  }

  /// Which process made a change.
  package enum Origin: String, StringEnum {
    package static let schemaName: String? = "ChangeOrigin"

    case here, elsewhere

    package var documentation: String {
      switch self {
      case .here: "This process."
      case .elsewhere: "Another process, or the user."
      }
    }
  }

  package var account: String
  /// The id of the request that caused the event, if any.
  package var requestID: JSON?
  package var kind: Kind
}

/// The page that the user has to open to sign in.
package struct SignInPrompt: Sendable, Equatable {
  package var id: String
  package var url: String
  package var userCode: String?
  /// The page where the user types the code.
  package var verificationUri: String?
  /// Unix seconds. At that time the sign-in ends.
  package var expiresAt: Int
  /// Why the same sign-in asks a second time; nil the first time.
  package var reason: Reason?
  /// The issuer of the account's grant and the one that the API names now; nil if they are the same.
  package var issuerChange: IssuerChange?
  /// False if no browser could be started; nil if one was started or the result is unknown.
  package var opened: Bool?

  package enum Reason: String, StringEnum {
    package static let schemaName: String? = "SignInReason"

    case refreshTokenMissing

    package var documentation: String {
      switch self {
      case .refreshTokenMissing: "The provider issued no refresh token although the process requested one."
      }
    }
  }

  package static var sample: SignInPrompt { SignInPrompt(id: "", url: "", expiresAt: 0) }
}

/// The result of revoking a grant.
package struct Revocation: Sendable, Equatable {
  package enum Remote: String, StringEnum {
    package static let schemaName: String? = "RemoteRevocation"

    case revoked, partial, refused, unsupported

    package var documentation: String {
      switch self {
      case .revoked: "The provider revoked all tokens that it received."
      case .partial: "The provider revoked one token and rejected the other."
      case .refused: "The provider revoked nothing and may still accept the tokens."
      case .unsupported: "The provider has no revocation, or none for this client."
      }
    }
  }

  package enum Token: String, StringEnum {
    package static let schemaName: String? = "RevocableToken"

    case accessToken, refreshToken
  }

  package var remote = Remote.unsupported
  /// Tokens that the provider did not revoke while it revoked another. They may have ended with it: RFC 7009, 2.1 leaves that to the provider.
  package var remaining: [Token] = []
  /// When a remaining access token expires, in Unix seconds; nil if none remains or its expiry is unknown.
  package var expiresAt: Int?
  /// The page that ends the session at the provider; nil if there is none.
  package var logoutURL: String?
  /// Where the user can look after the session, for people: the logout page, or the provider's origin.
  package var page: String?

  package init() {}

  package static var sample: Revocation {
    var sample = Revocation()
    (sample.remaining, sample.expiresAt, sample.logoutURL) = ([.accessToken], 0, "")
    return sample
  }

  /// `revoked` and `rejected` are the tokens by the provider's response. An access token that has already expired does not remain.
  init(revoked: [Token], rejected: [Token], of grant: Grant, at now: Int) {
    remote = rejected.isEmpty ? .unsupported : .refused
    guard !revoked.isEmpty else { return }
    remaining = rejected.filter { $0 != .accessToken || grant.expiresAt.map { $0 > now } != false }
    remote = remaining.isEmpty ? .revoked : .partial
    if remaining.contains(.accessToken) { expiresAt = grant.expiresAt }
  }
}
