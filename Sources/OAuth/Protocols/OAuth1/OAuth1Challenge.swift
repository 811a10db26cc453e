/// The `OAuth` challenge of a `WWW-Authenticate` header (RFC 5849 §3.5.1).
enum OAuth1Challenge {
  /// The challenge's parameters, percent-decoded but for the realm; empty where the header has no such challenge.
  static func parameters(_ header: String) -> [OAuth1Parameter] {
    HTTPChallenge.parameters(header, scheme: "oauth").map { name, value in
      if name == "realm" { return OAuth1Parameter(name, String(decoding: value, as: UTF8.self)) }
      return OAuth1Parameter(name, String(decoding: PercentEncoding.decodeLeniently(value[...], plusIsBlank: false), as: UTF8.self))
    }
  }
}
