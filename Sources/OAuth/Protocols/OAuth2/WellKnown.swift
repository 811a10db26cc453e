/// Where an authorization server or a protected resource describes itself.
enum WellKnown {
  /// An issuer's metadata: RFC 8414 (3.1) puts the well-known part before the path, OpenID Connect Discovery 1.0 (4.1) behind it, and some do with the
  /// one name what the other says.
  static func server(_ issuer: URLParts) -> [String] {
    let path = path(of: issuer)
    let places = [
      "/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration",
      "/.well-known/openid-configuration" + path,
    ]
    // The last two are one where there is no path.
    return (path.isEmpty ? Array(places.dropLast()) : places).map { issuer.origin + $0 }
  }

  /// A resource's metadata (RFC 9728, 3.1); many have one for the whole host alone.
  static func resource(_ url: URLParts) -> [String] {
    let place = url.origin + "/.well-known/oauth-protected-resource"
    let (path, query) = (path(of: url), url.query.map { "?" + $0 } ?? "")
    return path.isEmpty && query.isEmpty ? [place] : [place + path + query, place]
  }

  /// Whether the URL is nothing but a host.
  static func isRoot(_ url: URLParts) -> Bool { path(of: url).isEmpty && url.query == nil }

  /// Without a slash at the end, which means nothing there.
  private static func path(of url: URLParts) -> String {
    url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
  }
}
