import OAuthCore

/// A token and its secret: temporary credentials during the sign-in (RFC 5849 §2.1), token credentials afterwards (§2.3).
package struct OAuth1Token: Sendable, Equatable {
  package var token: Secret
  /// May be empty.
  package var secret: Secret

  package init(token: Secret, secret: Secret) {
    self.token = token
    self.secret = secret
  }
}
