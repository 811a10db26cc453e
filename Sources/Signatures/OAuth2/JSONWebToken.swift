import Jansson
import OAuthCore

/// A token that this program makes and signs (RFC 7519), such as a client's assertion or a proof.
package struct JSONWebToken: Sendable, Confidential {
  private let start: String

  /// The header must name the algorithm (`alg`).
  package init(header: [JSON.Member], claims: [JSON.Member]) {
    start = [header, claims].map { Base64.encodeURL(JSON.object($0).text) }.joined(separator: ".")
  }

  /// The bytes that the signature covers (RFC 7515, 5.1).
  package var input: [UInt8] { Array(start.utf8) }

  /// Returns the compact form with the signature.
  package func compact(_ signature: [UInt8]) -> Secret { Secret("\(start).\(Base64.encodeURL(signature))") }

  /// Returns the token with `alg`, then the other members of the header, signed by the key.
  package static func signed(_ claims: [JSON.Member], header: [JSON.Member], by key: SigningKey) throws(OAuthFailure) -> Secret {
    let token = JSONWebToken(header: [.init("alg", .string(key.algorithm.rawValue))] + header, claims: claims)
    return token.compact(try key.sign(token.input))
  }
}
