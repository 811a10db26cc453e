import CryptoExtras
import Jansson
import OAuthCore

/// The public keys that an issuer publishes at its `jwks_uri` (RFC 7517, 5).
package struct JSONWebKeySet: Sendable {
  package let keys: [JSONWebKey]

  /// Reads the document; throws `untrusted` if it is not a key set. A key set without usable keys is valid but verifies nothing.
  package init(_ body: [UInt8]) throws(OAuthFailure) {
    let document: JSON
    do {
      document = try JSON.parse(body).withoutEmptyMembers()
    } catch {
      throw .untrusted("the issuer's key set is not valid JSON, or a member occurs twice")
    }
    // A server without keys, such as one that signs with clients' secrets, may publish an empty object.
    guard let elements = document == [:] ? [] : document["keys"]?.array else {
      throw .untrusted("the issuer's key set has no array of keys")
    }
    // A key of an unknown type, or with missing members or values out of range, is ignored (RFC 7517, 5).
    keys = elements.compactMap(JSONWebKey.init)
  }

  /// Returns the keys that may have made this signature (OpenID Connect Core, 10.1).
  ///
  /// For a token with a `kid`, these are the keys with that `kid`, else those without one. For a token without a `kid`, these are all keys of a
  /// fitting type and algorithm. Keys that the token itself contains or links to (`jwk`, `x5c`, `jku`, `x5u`) are ignored.
  package func candidates(for signature: JSONWebSignature) -> [JSONWebKey] {
    guard let algorithm = signature.algorithm else { return [] }
    let fitting = keys.filter { $0.mayBe(algorithm) }
    guard let id = signature.keyId else { return fitting }
    let named = fitting.filter { $0.id == id }
    return named.isEmpty ? fitting.filter { $0.id == nil } : named
  }

  /// Returns whether fetching the keys again may help: no key has the signature's `kid`, or the token has none, so a rotation would go unnoticed.
  package func mayBeOutdated(for signature: JSONWebSignature) -> Bool {
    guard let id = signature.keyId else { return true }
    return !keys.contains { $0.id == id }
  }
}
