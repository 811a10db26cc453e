import Crypto
import OAuthCore

extension AuthorizationInput {
  /// The redirect URI: a loopback address that this process listens on, or any URI that the client catches.
  package enum RedirectChoice {
    /// The page shows a verifier (RFC 5849, 2.1) or a code, which the user types.
    package static let outOfBand = "oob"

    /// Whether the page shows a code to type instead of redirecting the browser. OAuth 2.0 had URIs for that as well.
    package static func isOutOfBand(_ uri: String?) -> Bool { uri == outOfBand || uri?.hasPrefix("urn:ietf:wg:oauth:2.0:oob") == true }

    /// Returns the address to listen on, and the redirect URI exactly as the caller wrote it, if any.
    ///
    /// A caller's loopback URI without a port, or with port 0, means any free port (RFC 8252, 7.3). This process then completes the URI.
    ///
    /// `isRegistering` says that the client is registered for this redirect URI. Each issuer then has its own path.
    /// Redirects of one issuer therefore cannot be confused with those of another (RFC 9700, 4.4.2.2).
    /// `listen` is where a redirect arrives that a forwarder leads here.
    package static func address(
      _ uri: String?, _ provider: Provider, isRegistering: Bool = false, listen: LoopbackAddress? = nil
    ) throws(OAuthFailure) -> (LoopbackAddress?, asWritten: String?) {
      guard let uri else {
        try check(provider.redirect, isPinned: !provider.redirect.redirectPorts.isEmpty)
        let host = provider.redirect.redirectHost.flatMap(LoopbackAddress.Host.init(rawValue:)) ?? .ipv4
        let ports = provider.redirect.redirectPorts.isEmpty ? [0] : provider.redirect.redirectPorts.compactMap { UInt16(exactly: $0) }
        let path = provider.redirect.redirectPath ?? (isRegistering ? pathOfItsOwn(provider) : "/callback")
        return (LoopbackAddress(host: host, ports: ports, path: path), nil)
      }
      if uri == outOfBand, provider.protocolName != .openid2 { return (nil, uri) }
      if let meant = withScheme(uri) { throw invalid("the redirect URI has no scheme: did you mean \(meant)?") }
      let url: URLParts
      do throws(URLFailure) {
        url = try URLParts(uri)
      } catch {
        throw invalid(error == .port ? "the redirect URI's port is not a number up to 65535" : "the redirect URI is not an absolute URI")
      }
      if url.fragment != nil { throw invalid("the redirect URI must not have a fragment") }
      if var listen {
        // Other users and machines may send to it, and a code that they have seen must be useless.
        guard provider.protocolName == .oauth2, provider.request.pkce == .s256 else {
          throw .misconfigured("/listen", "listen needs OAuth 2.0 with the code challenge S256, which this provider does not have")
        }
        listen.path = url.path.isEmpty ? "/" : url.path
        return (listen, uri)
      }
      guard url.scheme == "http" else { return (nil, uri) }
      guard let host = LoopbackAddress.Host(rawValue: url.host) else {
        // A redirect there is useless without a secret that was never sent: a token's secret, or the provider's signature.
        if provider.protocolName != .oauth2 { return (nil, uri) }
        throw invalid("a redirect URI with http must be at 127.0.0.1, [::1] or localhost")
      }
      if url.userInfo != nil || url.query != nil { throw invalid("a loopback redirect URI must not have a user name or a query") }
      let port = url.explicitPort ?? 0
      try check(provider.redirect, isPinned: port != 0)
      let address = LoopbackAddress(host: host, ports: [UInt16(port)], path: url.path.isEmpty ? "/" : url.path)
      // An exactly registered URI without a path stays without one.
      return (address, port == 0 ? nil : uri)
    }

    /// Returns the issuer's path. 96 bits of a hash separate issuers that try to share a path.
    private static func pathOfItsOwn(_ provider: Provider) -> String {
      let issuer = provider.issuer ?? provider.authorizationEndpoint.map(Provider.origin) ?? ""
      return "/callback/" + Base64.encodeURL(Array(SHA256.hash(data: Array(issuer.utf8)).prefix(12)))
    }

    /// Returns the intended URI for `localhost:8080/cb` without a scheme, where the host would parse as a scheme.
    /// No scheme is followed by a port alone.
    private static func withScheme(_ uri: String) -> String? {
      let authority = uri.prefix { $0 != "/" && $0 != "?" }
      guard let colon = authority.lastIndex(of: ":"), colon != authority.startIndex else { return nil }
      let port = authority[authority.index(after: colon)...]
      guard let number = UInt16(port), number > 0, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      let isLoopback = LoopbackAddress.Host(rawValue: authority[..<colon].lowercased()) != nil
      return "\(isLoopback ? "http" : "https")://\(uri)"
    }

    /// Rejects a loopback address that the provider would reject. At this point the user can still correct it.
    private static func check(_ options: RedirectOptions, isPinned: Bool) throws(OAuthFailure) {
      switch options.redirectPolicy {
      case .anyPort: return
      case .pinnedPort where isPinned: return
      case .pinnedPort: throw invalid("the provider redirects only to a registered port", .registeredPort(options.loopbackUri))
      case .https: throw invalid("the provider does not redirect to loopback addresses", .httpsRedirect)
      }
    }

    private static func invalid(_ message: String, _ advice: OAuthFailure.Advice? = nil) -> OAuthFailure {
      .misconfigured("/redirectUri", message).with(\.advice, advice)
    }
  }
}
