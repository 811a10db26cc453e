import Jansson
import OAuthCore

/// The tokens that another program stored, and its facts about them.
package struct ImportedGrant: Sendable, Equatable {
  package var accessToken: Secret?
  package var tokenType: String?
  /// OAuth 1.0a only.
  package var tokenSecret: Secret?
  package var sessionHandle: Secret?
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// Unix seconds.
  package var expiresAt: Int?
  /// When the tokens were received, in Unix seconds, if the caller knows that.
  package var issuedAt: Int?
  package var scopes: [String]?
  package var subject: String?
  package var email: String?
  package var attributes = NamedValues<String>()
  /// The facts that `exportGrant` added to the tokens.
  var facts: GrantFacts?
  /// A token response that is not read yet. The provider's description gives the places of its members.
  var answer: KeptAnswer?
  /// Unix seconds.
  package var refreshTokenExpiresAt: Int?
  /// The redirect URI that the program sent with sign-ins and refreshes.
  package var redirectUri: String?
  /// That program's name for the provider. A preset of this name is used if the caller names no provider.
  package var providerName: String?

  package init() {}

  /// Checks that a token is valid in a header (RFC 6750, 2.1). `path` is its place in the params.
  static func token(_ text: String?, at path: String) throws(FieldError) -> Secret? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw FieldError(path, "has characters that no token can have") }
    return Secret(text)
  }
}
