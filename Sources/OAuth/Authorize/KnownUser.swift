import OAuthCore

/// The user of an account's grant, as an ID token names it. A subject identifies a user only together with its issuer and,
/// if it is pairwise, its client (OpenID Connect Core, 2 and 8).
struct KnownUser: Sendable, Equatable {
  private let subject: String
  private let clientId: String
  /// The issuer of the ID token. It may be one of many tenants.
  private let issuer: String
  /// The issuer that the provider's description names.
  private let describedIssuer: String?

  /// Returns nil if no ID token names the user: an imported grant may name its user in another way.
  init?(_ grant: Grant) {
    guard let token = grant.idToken, let payload = try? JSONWebSignature(token).payload, let claims = try? IDToken(claims: payload),
      claims.subject == grant.subject
    else { return nil }
    subject = claims.subject
    clientId = grant.client.id
    issuer = claims.issuer
    describedIssuer = grant.provider["issuer"]?.string
  }

  /// Whether `grant` belongs to another user of the same issuer and client.
  func isAnother(than grant: Grant) -> Bool {
    guard let found = KnownUser(grant), found.clientId == clientId else { return false }
    let isSameIssuer = found.issuer == issuer || (describedIssuer != nil && found.describedIssuer == describedIssuer)
    return isSameIssuer && found.subject != subject
  }
}
