/// What an ID token has to say to be believed, once its signature or the channel that it came by has shown who says it
/// (OpenID Connect Core, 3.1.3.7; for a refreshed one also 12.2).
package struct IDTokenCheck: Sendable {
  /// Seconds after `exp` in which the token still counts: it has come just now, so only clocks that disagree can make it too old, and servers and
  /// desktops that set their clocks by the network disagree by less than a minute.
  package static let expiryLeeway = 60

  /// Seconds that `iat` and `nbf` may lie ahead. A slow clock of this machine is no attack, for who signs knows his own time; beyond ten minutes, which
  /// is what Google's own clients allow, the token was not made for now.
  package static let futureLeeway = 600

  /// nil where the provider's description names no issuer, and then any will do: the token came by TLS from the endpoint that was asked.
  package var issuer: IssuerTemplate?
  package var clientId: String
  /// What the authorization request sent; nil where it sent none, and for a refreshed token.
  package var nonce: Secret?
  /// What came along with the token, for `at_hash`.
  package var accessToken: Secret?
  /// Unix seconds.
  package var now: Int

  package init(issuer: IssuerTemplate?, clientId: String, nonce: Secret? = nil, accessToken: Secret? = nil, now: Int) {
    self.issuer = issuer
    self.clientId = clientId
    self.nonce = nonce
    self.accessToken = accessToken
    self.now = now
  }

  /// Throws `untrusted` with what is wrong; `signature` is the token that the claims were read from.
  package func pass(_ token: IDToken, of signature: JSONWebSignature) throws(OAuthFailure) {
    if let issuer, !issuer.names(token.issuer, tenant: token.tenant) {
      throw .untrusted("the id token comes from another issuer than the one that was asked (iss)")
    }
    try passAudience(token)
    guard token.expiresAt + Self.expiryLeeway > now else { throw .untrusted("the id token has expired (exp)") }
    guard token.issuedAt <= now + Self.futureLeeway else {
      throw .untrusted("the id token was issued in the future (iat); is this machine's clock right?")
    }
    if let notBefore = token.notBefore, notBefore > now + Self.futureLeeway {
      throw .untrusted("the id token does not count yet (nbf); is this machine's clock right?")
    }
    if let nonce {
      guard let found = token.nonce else { throw .untrusted("the id token lacks the nonce that was sent") }
      guard found == nonce else { throw .untrusted("the id token has another nonce than the one that was sent") }
    }
    try passAccessTokenHash(token, signature)
  }

  /// Points 3 to 5: for us, and where others are named beside us, made for us to use.
  private func passAudience(_ token: IDToken) throws(OAuthFailure) {
    guard token.audiences.contains(where: { $0.utf8.elementsEqual(clientId.utf8) }) else {
      throw .untrusted("the id token is for another client (aud)")
    }
    if token.audiences.count > 1, token.authorizedParty == nil {
      throw .untrusted("the id token has several audiences and does not say which of them asked for it (azp)")
    }
    if let party = token.authorizedParty, !party.utf8.elementsEqual(clientId.utf8) {
      throw .untrusted("the id token was asked for by another client (azp)")
    }
  }

  /// The access token was made together with this ID token (3.1.3.8); with an algorithm that is not known here there is no telling its hash.
  private func passAccessTokenHash(_ token: IDToken, _ signature: JSONWebSignature) throws(OAuthFailure) {
    guard let accessToken, let hash = token.accessTokenHash, let algorithm = signature.algorithm else { return }
    guard hash == Base64.encodeURL(algorithm.leftHalf(ofHashOf: accessToken.value)) else {
      throw .untrusted("the id token belongs to another access token (at_hash)")
    }
  }

  /// A refreshed token is about the same user, from the same issuer, for the same client as the first (12.2).
  ///
  /// Its nonce, which it need not have, is the first one's.
  package static func pass(_ token: IDToken, refreshing first: IDToken) throws(OAuthFailure) {
    guard token.subject == first.subject else { throw .untrusted("the refreshed id token is about another user (sub)") }
    guard token.issuer.utf8.elementsEqual(first.issuer.utf8) else {
      throw .untrusted("the refreshed id token comes from another issuer (iss)")
    }
    if let nonce = token.nonce, nonce != first.nonce { throw .untrusted("the refreshed id token has another nonce than the first") }
  }
}
