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
  package enum Change: String, DescribedEnum {
    package static let schemaName: String? = "AccountChange"

    case signedIn, refreshed, signedOut, revoked, rejected, removed
  }

  /// Which process made a change.
  package enum Origin: String, DescribedEnum {
    package static let schemaName: String? = "ChangeOrigin"

    case here, elsewhere
  }

  package var account: String
  /// The id of the request that caused the event, if any.
  package var requestID: JSON?
  package var kind: Kind
}
