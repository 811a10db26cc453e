import Crypto
import OAuthCore

extension ClientCertificate {
  /// The value of `x5t#S256` (RFC 7515, 4.1.8); nil with PKCS#12, which this program does not open itself.
  package var thumbprint: String? { der.map { Base64.encodeURL(Array(SHA256.hash(data: $0))) } }
}
