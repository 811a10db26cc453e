import Crypto
import Jansson
import OAuthCore

/// A signed token in compact form (RFC 7515, 7.1), parsed but not verified.
package struct JSONWebSignature: Sendable {
  /// The header's algorithm; nil if it is not a supported public-key algorithm (such as an HMAC). Then no key verifies the token.
  package let algorithm: JSONWebAlgorithm?
  /// Whether the signature needs a secret. It then fits no key of a key set: otherwise an attacker could sign with an issuer's public key.
  package let needsSecret: Bool
  package let keyId: String?
  package let payload: [UInt8]
  private let input: [UInt8]
  private let signature: [UInt8]

  package init(_ token: Secret) throws(OAuthFailure) {
    let parts = token.value.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 5 { throw .untrusted("the ID token is encrypted, which is not supported") }
    guard parts.count == 3 else { throw .untrusted("the ID token does not have the three parts of a signed token") }
    let header = try Self.header(try Self.bytes(parts[0], "header"))
    guard let name = header["alg"]?.string else { throw .untrusted("the ID token's header names no algorithm") }
    // Case is ignored, since some parsers ignore it, too (RFC 8725, 2.1).
    guard name.lowercased() != "none" else { throw .untrusted("the ID token is not signed") }
    algorithm = JSONWebAlgorithm(named: name)
    needsSecret = name == IDTokenAlgorithm.hs256.rawValue
    keyId = try Self.keyId(header)
    payload = try Self.bytes(parts[1], "payload")
    signature = try Self.bytes(parts[2], "signature")
    if signature.isEmpty { throw .untrusted("the ID token is not signed") }
    input = Array(token.value.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
  }

  /// Returns whether the private part of this key made the signature.
  package func isMade(by key: JSONWebKey) -> Bool {
    guard let algorithm, key.mayBe(algorithm) else { return false }
    return algorithm.verifies(signature, over: input, with: key.material)
  }

  /// Returns whether the client's secret made the signature, by HMAC with SHA-256 (OpenID Connect Core, 10.1).
  package func isMade(bySecret secret: Secret) -> Bool {
    let key = SymmetricKey(data: Array(secret.value.utf8))
    return needsSecret && HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: input, using: key)
  }

  private static func header(_ bytes: [UInt8]) throws(OAuthFailure) -> JSON {
    let header: JSON
    do {
      header = try JSON.parse(bytes)
    } catch {
      // If a member is repeated, one parser may check a value that another one does not use (RFC 7515, 4).
      if case .duplicateMember = error { throw .untrusted("the ID token's header names a member twice") }
      throw .untrusted("the ID token's header is not valid JSON")
    }
    guard case .object = header else { throw .untrusted("the ID token's header is not an object") }
    // Extensions in `crit` must be understood (RFC 7515, 4.1.11), and none is supported.
    if header["crit"] != nil { throw .untrusted("the ID token requires an unknown extension (crit)") }
    try checkType(header["typ"])
    return header
  }

  /// Rejects a token of another type, such as an access token (`at+jwt`; RFC 8725, 3.11 and 3.12).
  private static func checkType(_ json: JSON?) throws(OAuthFailure) {
    guard let json else { return }
    guard let type = json.string else { throw .untrusted("the ID token's type is not a string") }
    if type.lowercased().hasSuffix("+jwt") { throw .untrusted("the ID token is a token of another type (typ)") }
  }

  private static func keyId(_ header: JSON) throws(OAuthFailure) -> String? {
    guard let json = header["kid"] else { return nil }
    guard let id = json.string else { throw .untrusted("the ID token's key ID is not a string") }
    return id
  }

  private static func bytes(_ part: Substring, _ name: String) throws(OAuthFailure) -> [UInt8] {
    do {
      return try Base64.decodeURL(String(part))
    } catch {
      throw .untrusted("the ID token's \(name) is not base64url")
    }
  }
}
