extension MetadataDocument {
  /// The well-known URLs where an authorization server or a protected resource publishes its metadata.
  package enum WellKnown {
    /// Returns the URLs of an issuer's OAuth document and of its OpenID Connect document; a document may have several possible URLs.
    /// The last one is for servers without any other.
    ///
    /// RFC 8414 (3.1) puts the well-known part before the path, OpenID Connect Discovery 1.0 (4.1) after it. Some servers exchange the two.
    package static func server(_ issuer: URLParts) -> [[String]] {
      let path = path(of: issuer)
      let (oauth, openid) = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
      let all = path.isEmpty ? [[oauth], [openid]] : [[oauth + path], [path + openid, openid + path], [path + oauth]]
      return all.map { places in places.map { issuer.origin + $0 } }
    }

    /// Returns the issuer or resource that a pasted well-known URL describes; nil for any other URL.
    package static func subject(of url: URLParts) -> URLParts? {
      for name in ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"] {
        guard let range = url.path.firstRange(of: "/.well-known/" + name), url.path[range.upperBound...].first.map({ $0 == "/" }) ?? true
        else { continue }
        var subject = url
        subject.path = String(url.path[..<range.lowerBound] + url.path[range.upperBound...])
        return subject
      }
      return nil
    }

    /// Returns the URLs of a resource's metadata (RFC 9728, 3.1). Many resources have only one document for the whole host.
    package static func resource(_ url: URLParts) -> [String] {
      let place = url.origin + "/.well-known/oauth-protected-resource"
      let (path, query) = (path(of: url), url.query.map { "?" + $0 } ?? "")
      return path.isEmpty && query.isEmpty ? [place] : [place + path + query, place]
    }

    /// Returns whether the URL has neither a path nor a query.
    package static func isRoot(_ url: URLParts) -> Bool { path(of: url).isEmpty && url.query == nil }

    /// Returns the path without a trailing slash, which makes no difference here.
    private static func path(of url: URLParts) -> String {
      url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    }
  }
}
