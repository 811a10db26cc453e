/// A request to an OAuth endpoint, with the path within the provider and the addressed provider.
struct Call: Sendable {
  let request: Request
  let site: Site
  let path: String
  let modes: Modes

  /// The issuer identifier, which is also the prefix of the endpoints' URLs (RFC 8414 §2).
  var issuer: String { modes.text.isEmpty ? site.origin : site.origin + "/m/" + modes.text }

  /// Returns the endpoint's own answer, or the modes' replacement.
  func answer(for target: Mode.Target, _ work: () -> Response) -> Response {
    modes.failure(for: target, origin: site.origin, path: request.path) ?? modes.lateOrLost(work(), for: target)
  }
}
