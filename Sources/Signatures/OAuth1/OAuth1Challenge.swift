import OAuthCore

/// The `OAuth` challenge of a `WWW-Authenticate` header (RFC 5849 §3.5.1).
package enum OAuth1Challenge {
  /// Returns the challenge's parameters, percent-decoded except for the realm; empty if the header has no such challenge.
  package static func parameters(_ header: String) -> [OAuth1Parameter] {
    HTTPChallenge.parameters(header, scheme: "oauth").map { name, value in
      if name == "realm" { return OAuth1Parameter(name, String(decoding: value, as: UTF8.self)) }
      return OAuth1Parameter(name, PercentEncoding.lenientText(value[...], plusIsBlank: false))
    }
  }
}
