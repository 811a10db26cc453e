import Crypto
import OAuthCore

extension RequestSignature {
  /// Returns the headers for a body sent at `now`, in Unix seconds.
  package func headers(for body: [UInt8], _ client: Client, _ secret: Secret, at now: Int) -> [HTTPHeader] {
    let milliseconds = "\(now)000"
    let code = HMAC<SHA256>.authenticationCode(for: body + milliseconds.utf8, using: SymmetricKey(data: Array(secret.value.utf8)))
    return [HTTPHeader(clientId, client.id), HTTPHeader(timestamp, milliseconds), HTTPHeader(signature, Hexadecimal.encode(Array(code)))]
  }
}

extension AuthorizationRequest.PKCE {
  /// `random` must be 32 bytes, which give a verifier of 43 characters (RFC 7636, 4.1).
  package init(random: [UInt8], isHexadecimal: Bool = false) {
    let verifier = Base64.encodeURL(random)
    let challenge = isHexadecimal ? Hexadecimal.encode(Array(Self.digest(verifier))) : Self.challenge(for: verifier)
    self.init(verifier: Secret(verifier), challenge: challenge)
  }

  /// Returns the S256 challenge (RFC 7636 §4.2).
  package static func challenge(for verifier: String) -> String { Base64.encodeURL(digest(verifier)) }

  private static func digest(_ verifier: String) -> [UInt8] { Array(SHA256.hash(data: Array(verifier.utf8))) }
}
