/// Where an authorization server or a protected resource describes itself.
enum WellKnown {
  /// An issuer's documents, that of OAuth and that of OpenID Connect, each with the places where it may be.
  ///
  /// RFC 8414 (3.1) puts the well-known part before the path, OpenID Connect Discovery 1.0 (4.1) behind it, and some do with the one name what the other
  /// says.
  static func server(_ issuer: URLParts) -> [[String]] {
    let path = path(of: issuer)
    let openid = [path + "/.well-known/openid-configuration", "/.well-known/openid-configuration" + path]
    // The last two are one where there is no path.
    return [["/.well-known/oauth-authorization-server" + path], path.isEmpty ? [openid[0]] : openid].map { places in
      places.map { issuer.origin + $0 }
    }
  }

  /// The issuer or the resource whose metadata a pasted URL leads to; nil for any other URL.
  static func subject(of url: URLParts) -> URLParts? {
    for name in ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"] {
      guard let range = url.path.firstRange(of: "/.well-known/" + name), url.path[range.upperBound...].first.map({ $0 == "/" }) ?? true
      else {
        continue
      }
      var subject = url
      subject.path = String(url.path[..<range.lowerBound] + url.path[range.upperBound...])
      return subject
    }
    return nil
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
