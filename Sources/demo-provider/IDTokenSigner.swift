import Crypto
import Jansson
import OAuthCore

/// Signs ID tokens with a key that this process has made (ES256, RFC 7518 §3.4).
struct IDTokenSigner: Sendable {
  private let key = P256.Signing.PrivateKey()

  /// Returns the ID token of the demo's only user (OpenID Connect Core 1.0 §2). `now` is in Unix seconds.
  func token(issuer: String, nonce: String?, now: Int) -> String? {
    var claims: [JSON.Member] = [
      .init("iss", .string(issuer)), .init("sub", "demo"), .init("aud", .string(Site.client)), .init("email", "demo@example.com"),
      .init("iat", .integer(now)), .init("exp", .integer(now + Grants.lifetime)),
    ]
    if let nonce { claims.append(.init("nonce", .string(nonce))) }
    let header: JSON = ["alg": "ES256", "kid": "demo", "typ": "JWT"]
    let text = [header, .object(claims)].map { Base64.encodeURL($0.text) }.joined(separator: ".")
    guard let signature = try? key.signature(for: SHA256.hash(data: Array(text.utf8))) else { return nil }
    return text + "." + Base64.encodeURL(Array(signature.rawRepresentation))
  }

  /// The public key as a key set (RFC 7517 §5).
  var keySet: JSON {
    // 0x04, then both coordinates.
    let point = Array(key.publicKey.x963Representation)
    let key: JSON = [
      "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "demo", "x": .string(Base64.encodeURL(Array(point[1..<33]))),
      "y": .string(Base64.encodeURL(Array(point[33...]))),
    ]
    return ["keys": .array([key])]
  }
}
