/// A request to an OAuth endpoint, with the path within the provider and its misbehaviour.
struct Call: Sendable {
  let request: Request
  let site: Site
  let path: String
  let mode: Mode?

  /// The issuer identifier, which is also the prefix of the endpoints' URLs (RFC 8414 §2).
  var issuer: String { mode.map { "\(site.origin)/m/\($0.text)" } ?? site.origin }
}
