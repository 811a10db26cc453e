import Crypto
import OAuthCore

extension AuthorizationRequest.PKCE {
  /// `random` must be 32 bytes, which give a verifier of 43 characters (RFC 7636, 4.1).
  package init(random: [UInt8]) {
    let verifier = Base64.encodeURL(random)
    self.init(verifier: Secret(verifier), challenge: Self.challenge(for: verifier))
  }

  /// Returns the S256 challenge (RFC 7636 §4.2).
  package static func challenge(for verifier: String) -> String {
    Base64.encodeURL(Array(SHA256.hash(data: Array(verifier.utf8))))
  }
}
