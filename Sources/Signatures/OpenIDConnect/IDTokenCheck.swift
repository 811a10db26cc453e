import OAuthCore

/// Checks an ID token's claims (OpenID Connect Core, 3.1.3.7; for a refreshed token also 12.2).
///
/// Before this check, the token's signature or the channel that delivered it must have proven its source.
package struct IDTokenCheck: Sendable {
  /// Seconds after `exp` during which a token is still valid. The token has just been issued, so only differing clocks can make it expired.
  /// Clocks set by the network differ by less than a minute.
  package static let expiryLeeway = 60

  /// Seconds that `iat` and `nbf` may lie in the future, for a slow clock of this machine. Google's own clients also allow ten minutes.
  package static let futureLeeway = 600

  /// nil if the provider's description names no issuer. Then any issuer is accepted, since the token came by TLS from the token endpoint.
  package var issuer: IssuerTemplate?
  package var clientId: String
  /// The nonce of the authorization request; nil if it had none, and for a refreshed token.
  package var nonce: Secret?
  /// The access token from the same response, for `at_hash`.
  package var accessToken: Secret?
  /// Unix seconds.
  package var now: Int

  package init(issuer: IssuerTemplate?, clientId: String, nonce: Secret? = nil, accessToken: Secret? = nil, now: Int) {
    (self.issuer, self.clientId, self.nonce, self.accessToken, self.now) = (issuer, clientId, nonce, accessToken, now)
  }

  /// Checks the claims and throws `untrusted` with the reason. `signature` is the token that contains them.
  package func pass(_ token: IDToken, of signature: JSONWebSignature) throws(OAuthFailure) {
    if let issuer, !issuer.names(token.issuer, tenant: token.tenant) {
      throw .otherIssuer("the ID token", Redaction.none.clean(String(token.issuer.prefix(200))), issuer.text)
    }
    try passAudience(token)
    guard token.expiresAt + Self.expiryLeeway > now else {
      throw .untrusted("the ID token has expired (exp); is this machine's clock right?")
    }
    guard token.issuedAt <= now + Self.futureLeeway else {
      throw .untrusted("the ID token was issued in the future (iat); is this machine's clock right?")
    }
    if let notBefore = token.notBefore, notBefore > now + Self.futureLeeway {
      throw .untrusted("the ID token is not valid yet (nbf); is this machine's clock right?")
    }
    if let nonce {
      guard let found = token.nonce else { throw .untrusted("the ID token lacks the nonce that was sent") }
      guard found == nonce else { throw .untrusted("the ID token's nonce is not the one that was sent") }
    }
    try passAccessTokenHash(token, signature)
  }

  /// Points 3 to 5: the token is for this client. If it names an authorized party, that is this client.
  ///
  /// A token with several audiences may omit `azp` if the expected issuer's token endpoint sent it to this client.
  private func passAudience(_ token: IDToken) throws(OAuthFailure) {
    guard token.audiences.contains(where: { $0.utf8.elementsEqual(clientId.utf8) }) else {
      throw .untrusted("the ID token is for another client (aud)")
    }
    if token.audiences.count > 1, token.authorizedParty == nil, issuer == nil {
      throw .untrusted("the ID token has several audiences and names no authorized party (azp)")
    }
    if let party = token.authorizedParty, !party.utf8.elementsEqual(clientId.utf8) {
      throw .untrusted("the ID token was issued to another client (azp)")
    }
  }

  /// Checks that the access token was issued with this ID token (3.1.3.8). Skipped for an unknown algorithm, whose hash function is unknown.
  private func passAccessTokenHash(_ token: IDToken, _ signature: JSONWebSignature) throws(OAuthFailure) {
    guard let accessToken, let hash = token.accessTokenHash, let algorithm = signature.algorithm else { return }
    guard hash == Base64.encodeURL(algorithm.leftHalf(ofHashOf: accessToken.value)) else {
      throw .untrusted("the ID token belongs to another access token (at_hash)")
    }
  }

  /// Checks that a refreshed token has the same user, issuer and client as the first one (12.2).
  ///
  /// A refreshed token may omit the nonce; if present, it must be the first token's.
  package static func pass(_ token: IDToken, refreshing first: IDToken) throws(OAuthFailure) {
    guard token.subject == first.subject else { throw .untrusted("the refreshed ID token is about another user (sub)") }
    guard token.issuer.utf8.elementsEqual(first.issuer.utf8) else {
      throw .untrusted("the refreshed ID token comes from another issuer (iss)")
    }
    if let nonce = token.nonce, nonce != first.nonce { throw .untrusted("the refreshed ID token's nonce differs from the first one's") }
  }
}
