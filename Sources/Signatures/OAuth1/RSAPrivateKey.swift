import CryptoExtras
import OAuthCore

/// The client's RSA key (RFC 5849 §3.4.3), parsed once because parsing for every signature is slow. Prints as `…`.
package struct RSAPrivateKey: Sendable, Confidential {
  private let key: _RSA.Signing.PrivateKey

  /// Reads PEM: PKCS#1 (`RSA PRIVATE KEY`) or PKCS#8 (`PRIVATE KEY`), unencrypted, at least 1024 bits. Throws `configurationInvalid` for anything else.
  ///
  /// The minimum is not 2048, since services of OAuth 1.0's time had their consumers register 1024 bits.
  package init(pem: Secret) throws(OAuthFailure) {
    do {
      key = try _RSA.Signing.PrivateKey(unsafeDERRepresentation: try SigningKey.der(inPEM: pem.value))
    } catch let failure as OAuthFailure {
      throw Self.invalid(failure.message)
    } catch CryptoKitError.incorrectParameterSize {
      throw Self.invalid("the private key has less than 1024 bits")
    } catch {
      // The library's error may quote the key.
      throw Self.invalid("the private key is not an RSA key that can be read")
    }
  }

  /// Signs the digest by RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
  package func signature(_ digest: some Digest) throws(OAuthFailure) -> [UInt8] {
    do {
      return Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    } catch {
      throw Self.invalid("the private key did not sign")
    }
  }

  private static func invalid(_ message: String) -> OAuthFailure { .misconfigured("/provider/privateKey", message) }
}
