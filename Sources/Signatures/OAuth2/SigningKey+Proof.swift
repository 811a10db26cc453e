import Crypto
import Jansson
import OAuthCore

/// The proof that the sender of a request has the key that a token is bound to (RFC 9449, 4.2).
extension SigningKey {
  /// Returns a new key for the tokens of one sign-in: P-256, which every server with DPoP knows.
  package static func newProofKey() -> Secret { Secret(P256.Signing.PrivateKey().pemRepresentation) }

  /// Returns the value of the header `DPoP`. `id` must be new each time, because a server takes no proof twice.
  /// `now` is the server's time in Unix seconds, and `token` is nil at the token endpoint.
  package func proof(
    _ method: String, _ url: URLParts, token: Secret?, nonce: String?, id: String, at now: Int64
  ) throws(OAuthFailure) -> Secret {
    // A request without a path is sent with `/`.
    let target = url.path.isEmpty ? url.origin + "/" : url.shown
    let claims: [JSON.Member?] = [
      .init("jti", .string(id)), .init("htm", .string(method)), .init("htu", .string(target)), .init("iat", .integer(Int(now))),
      token.map { .init("ath", .string(Base64.encodeURL(Array(SHA256.hash(data: Array($0.value.utf8)))))) },
      nonce.map { .init("nonce", .string($0)) },
    ]
    return try JSONWebToken.signed(claims.compactMap(\.self), header: [.init("typ", "dpop+jwt"), .init("jwk", publicKey)], by: self)
  }
}
