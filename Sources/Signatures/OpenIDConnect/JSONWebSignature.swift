import Crypto
import CryptoExtras
import Jansson
import OAuthCore

/// A signed token in compact form (RFC 7515, 7.1), parsed but not verified.
package struct JSONWebSignature: Sendable {
  /// The header's algorithm; nil for an unknown one. Then no key verifies the token.
  package let algorithm: JSONWebAlgorithm?
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

  /// Returns whether the client's secret made the signature by an HMAC (OpenID Connect Core, 10.1).
  package func isMade(bySecret secret: Secret) -> Bool {
    // Keys are compared in constant time.
    algorithm?.code(of: input, by: secret).map { SymmetricKey(data: $0) == SymmetricKey(data: signature) } ?? false
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

extension JSONWebAlgorithm {
  /// Returns nil for an unknown name. `Ed25519` is the newer name of the only curve supported for `EdDSA` (RFC 9864, 2.2).
  package init?(named name: String) { self.init(rawValue: name == "Ed25519" ? "EdDSA" : name) }

  /// Returns the hash of the algorithm; Ed25519 uses SHA-512 (RFC 8032, 5.1).
  func digest(of bytes: [UInt8]) -> any Digest {
    switch self {
    case .rs256, .ps256, .es256, .hs256: SHA256.hash(data: bytes)
    case .rs384, .ps384, .es384, .hs384: SHA384.hash(data: bytes)
    case .rs512, .ps512, .es512, .edDSA, .hs512: SHA512.hash(data: bytes)
    }
  }

  /// Returns the HMAC of the bytes by a secret (RFC 7518, 3.2); nil for an algorithm with a private key.
  package func code(of bytes: [UInt8], by secret: Secret) -> [UInt8]? {
    let key = SymmetricKey(data: Array(secret.value.utf8))
    return switch self {
    case .hs256: Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    case .hs384: Array(HMAC<SHA384>.authenticationCode(for: bytes, using: key))
    case .hs512: Array(HMAC<SHA512>.authenticationCode(for: bytes, using: key))
    default: nil
    }
  }

  /// Returns the left half of a text's hash for `at_hash` (OpenID Connect Core, 3.1.3.6).
  func leftHalf(ofHashOf text: String) -> [UInt8] {
    let digest = digest(of: Array(text.utf8)).map { $0 }
    return Array(digest.prefix(digest.count / 2))
  }

  /// PSS' salt is as long as the hash, as RFC 7518, 3.5 requires.
  var padding: _RSA.Signing.Padding { [.ps256, .ps384, .ps512].contains(self) ? .PSS : .insecurePKCS1v1_5 }

  /// Returns whether the algorithm works with keys of this kind. Any other pairing would misuse the key.
  func fits(_ key: JSONWebKey.Material) -> Bool {
    if case .rsa = key { signatureLength == nil } else { self == key.usualAlgorithm }
  }

  /// Returns whether the private key of `key` signed `input`; false if the key does not fit the algorithm.
  package func verifies(_ signature: [UInt8], over input: [UInt8], with key: JSONWebKey.Material) -> Bool {
    guard fits(key) else { return false }
    return switch key {
    case .rsa(let key): verifies(signature, digest(of: input), key)
    // The signature is R and S concatenated, each as long as the curve's order (RFC 7518, 3.4). DER, as in X.509, is rejected.
    case .p256(let key):
      (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: input) } ?? false
    case .p384(let key):
      (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: input) } ?? false
    case .p521(let key):
      (try? P521.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: input) } ?? false
    case .ed25519(let key): key.isValidSignature(signature, for: input)
    }
  }

  private func verifies(_ signature: [UInt8], _ digest: some Digest, _ key: _RSA.Signing.PublicKey) -> Bool {
    key.isValidSignature(_RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: padding)
  }
}
