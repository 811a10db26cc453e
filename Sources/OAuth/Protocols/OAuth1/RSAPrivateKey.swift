import Crypto
import CryptoExtras

/// The client's RSA key (RFC 5849 §3.4.3), read once since every signature would pay for it; it prints as `…`.
package struct RSAPrivateKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let key: _RSA.Signing.PrivateKey

  /// Reads PEM: PKCS#1 (`RSA PRIVATE KEY`) or PKCS#8 (`PRIVATE KEY`), unencrypted, 1024 bits or more.
  ///
  /// 1024 and not 2048, since that is what services of OAuth 1.0's time made their consumers register. Text around the block, which
  /// `openssl` likes to write, is passed over. Anything else is `configurationInvalid`.
  package init(pem: Secret) throws(OAuthFailure) {
    guard let block = Self.block(of: pem.value) else {
      throw Self.invalid("the private key is not a pem block named RSA PRIVATE KEY or PRIVATE KEY")
    }
    do {
      key = try _RSA.Signing.PrivateKey(unsafePEMRepresentation: block)
    } catch CryptoKitError.incorrectParameterSize {
      throw Self.invalid("the private key has less than 1024 bits")
    } catch {
      // The library's reason may quote the key.
      throw Self.invalid("the private key is not an rsa key that can be read")
    }
  }

  /// RSASSA-PKCS1-v1_5 over the digest (RFC 8017 §8.2).
  func signature(_ digest: some Digest) throws(OAuthFailure) -> [UInt8] {
    do {
      return Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    } catch {
      throw Self.invalid("the private key did not sign")
    }
  }

  package var description: String { "…" }
  package var debugDescription: String { "…" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  private static func invalid(_ message: String) -> OAuthFailure {
    OAuthFailure(.configurationInvalid, message, details: [.init("path", "/provider/privateKey")])
  }

  /// The first block of a private key with its two marks; lines may end in CR LF and be indented.
  private static func block(of text: String) -> String? {
    var lines: [Substring] = []
    for part in text.split(whereSeparator: \.isNewline) {
      let line = trimmed(part)
      if lines.isEmpty {
        if line == "-----BEGIN RSA PRIVATE KEY-----" || line == "-----BEGIN PRIVATE KEY-----" { lines.append(line) }
      } else {
        lines.append(line)
        if line.hasPrefix("-----END ") { return lines.joined(separator: "\n") + "\n" }
      }
    }
    return nil
  }

  private static func trimmed(_ line: Substring) -> Substring {
    var line = line.drop(while: \.isWhitespace)
    while line.last?.isWhitespace == true { line.removeLast() }
    return line
  }
}
