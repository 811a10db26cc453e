import Crypto
import CryptoExtras
import OAuthCore

extension SignatureMethod {
  /// Returns `oauth_signature` before encoding: base64 with padding, or the key itself with PLAINTEXT (§3.4.4).
  ///
  /// Throws `configurationInvalid` for an RSA method without a private key.
  func signature(
    of baseString: @autoclosure () -> [UInt8], _ client: OAuth1Client, tokenSecret: Secret?
  ) throws(OAuthFailure) -> String {
    switch self {
    case .hmacSHA1: Self.hmac(Insecure.SHA1.self, baseString(), client.sharedKey(tokenSecret))
    case .hmacSHA256: Self.hmac(SHA256.self, baseString(), client.sharedKey(tokenSecret))
    case .hmacSHA512: Self.hmac(SHA512.self, baseString(), client.sharedKey(tokenSecret))
    case .rsaSHA1: Base64.encode(try client.rsaKey().signature(Insecure.SHA1.hash(data: baseString())))
    case .rsaSHA256: Base64.encode(try client.rsaKey().signature(SHA256.hash(data: baseString())))
    case .rsaSHA512: Base64.encode(try client.rsaKey().signature(SHA512.hash(data: baseString())))
    case .plaintext: client.sharedKey(tokenSecret)
    }
  }

  private static func hmac<Hash: HashFunction>(_ hash: Hash.Type, _ bytes: [UInt8], _ key: String) -> String {
    Base64.encode(Array(HMAC<Hash>.authenticationCode(for: bytes, using: SymmetricKey(data: Array(key.utf8)))))
  }
}
