import Crypto

/// The proof that whoever redeems a code is whoever asked for it (RFC 7636), by S256 alone.
package struct PKCE: Sendable, Equatable {
  package let verifier: Secret
  package let challenge: String

  init(verifier: Secret, challenge: String) {
    self.verifier = verifier
    self.challenge = challenge
  }

  /// `random` are 32 bytes, which give a verifier of 43 characters (RFC 7636, 4.1).
  package init(random: [UInt8]) {
    let verifier = Base64.encodeURL(random)
    self.verifier = Secret(verifier)
    challenge = Base64.encodeURL(Array(SHA256.hash(data: Array(verifier.utf8))))
  }
}
