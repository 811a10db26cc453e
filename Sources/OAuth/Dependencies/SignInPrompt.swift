import OAuthCore
import Plans

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

  /// Why a sign-in asks a second time.
  package enum Reason: String, DescribedEnum {
    package static let schemaName: String? = "SignInReason"

    case refreshTokenMissing
  }

  package static var sample: SignInPrompt { SignInPrompt(id: "", url: "", expiresAt: 0) }
}
