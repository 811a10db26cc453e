/// A request to an OAuth endpoint.
struct Call: Sendable {
  let request: Request
  let site: Site

  /// The issuer identifier, which is also the prefix of the endpoints' URLs (RFC 8414 §2).
  var issuer: String { site.origin }
}
