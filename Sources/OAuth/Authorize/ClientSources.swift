import Jansson
import OAuthCore
import Store

/// Where the configuration has the tokens of a request without a user. They are read for each request.
package struct ClientSources: Sendable {
  var tokens: [(member: String, source: SecretSource)] = []
  /// A file of Google's, the command in it that may run, the user whom its account acts for, and the service account that it impersonates.
  var serviceAccount: SecretSource?
  var executable: String?
  var subject: String?
  var impersonate: String?

  /// What a token of another account is.
  static let accountTexts = [
    "subjectToken": ". `{\"account\": NAME}` is that account's access token, or what `subjectTokenType` names, such as its ID token "
      + "(`id_token`). With `identityAssertion` it is the account of the user's identity provider, whose ID token or refresh token counts",
    "actorToken": ". `{\"account\": NAME}` is that account's access token, or what `actorTokenType` names",
  ]

  var isEmpty: Bool { serviceAccount == nil && tokens.isEmpty }

  subscript(_ member: String) -> SecretSource? { tokens.first { $0.member == member }?.source }
}
