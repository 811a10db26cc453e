import Jansson

/// The public keys that an issuer publishes at its `jwks_uri` (RFC 7517, 5).
package struct JSONWebKeySet: Sendable {
  /// More keys than any issuer has at a time; each one has to be put together, and may have to be tried.
  private static let limit = 100

  package let keys: [JSONWebKey]
  /// Why the others are none for us, in the order they stood.
  package let passedOver: [JSONWebKey.Unusable]

  /// Reads the document; `untrusted` where it is no key set. One without a usable key is a key set that verifies nothing.
  package init(_ body: [UInt8]) throws(OAuthFailure) {
    let document: JSON
    do {
      document = try JSON.parse(body)
    } catch {
      throw .untrusted("the issuer's key set is no json, or names a member twice")
    }
    guard let elements = document["keys"]?.array else { throw .untrusted("the issuer's key set has no array of keys") }
    guard elements.count <= Self.limit else { throw .untrusted("the issuer's key set has more than \(Self.limit) keys") }
    var keys: [JSONWebKey] = []
    var passedOver: [JSONWebKey.Unusable] = []
    for element in elements {
      do throws(JSONWebKey.Unusable) {
        keys.append(try JSONWebKey(element))
      } catch {
        passedOver.append(error)
      }
    }
    self.keys = keys
    self.passedOver = passedOver
  }

  /// The keys that may have made this signature.
  ///
  /// With a `kid` those that bear it, else those that bear none; without one all whose type and algorithm fit (OpenID Connect Core, 10.1). A token that
  /// brings a key along, or says where to fetch one (`jwk`, `x5c`, `jku`, `x5u`), is not listened to.
  package func candidates(for signature: JSONWebSignature) -> [JSONWebKey] {
    guard let algorithm = signature.algorithm else { return [] }
    let fitting = keys.filter { $0.mayBe(algorithm) }
    guard let id = signature.keyId else { return fitting }
    let named = fitting.filter { $0.id == id }
    return named.isEmpty ? fitting.filter { $0.id == nil } : named
  }

  /// Whether newer keys could make a difference: nothing here bears the signature's `kid`, or it names none, so that a rotation could not be seen.
  package func mayBeOutdated(for signature: JSONWebSignature) -> Bool {
    guard let id = signature.keyId else { return true }
    return !keys.contains { $0.id == id }
  }
}
