import Jansson
import OAuthCore

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
