/// Discovers an identifier's services: first by Yadis, then by HTML (OpenID Authentication 2.0, 7.3).
///
/// It sends nothing itself. The caller sends `request` and passes the response to `read`, until `read` returns services.
package struct OpenIDDiscovery: Sendable {
  /// Redirects plus the step to an XRDS. The limit also ends loops.
  static let hops = 5
  /// The maximum size of a page or an XRDS in bytes: a hundred times the largest one seen.
  static let documentBytes = 1 << 20

  package enum Step: Sendable {
    /// `request` now is the next one to send.
    case next
    /// In the order to try them; never empty.
    case found([OpenIDService])
  }

  private enum Phase {
    case identifier
    /// `page` is the HTML that named the XRDS, used if the XRDS has no services; nil if the first response was not HTML.
    case xrds(page: HTMLHead?)
    /// The last attempt; `fault` is the XRDS's error, if any.
    case html(fault: OAuthFailure?)
  }

  private let identifier: OpenIDIdentifier
  private var url: URLParts
  /// The claimed identifier: the URL after all redirects (7.2).
  private var claimedId: String
  /// The narrowest network scope that the identifier may have. If a provider named it, this is wider than this machine.
  private let limit: NetworkScope
  /// The scope of the server that answered last. That server must not name a URL of a narrower scope.
  package private(set) var scope: NetworkScope
  private var phase = Phase.identifier
  private var left = hops

  package init(_ identifier: OpenIDIdentifier, within limit: NetworkScope = .thisMachine) {
    self.identifier = identifier
    self.limit = limit
    url = identifier.url
    claimedId = identifier.description
    scope = NetworkScope(identifier.url)
  }

  package var request: HTTPRequest {
    let accept: String
    switch phase {
    case .identifier: accept = "application/xrds+xml, text/html;q=0.5, application/xhtml+xml;q=0.5"
    case .xrds: accept = "application/xrds+xml"
    case .html: accept = "text/html, application/xhtml+xml"
    }
    var request = HTTPRequest(method: "GET", url: url.description, headers: [HTTPHeader("Accept", accept)])
    request.timeout = 30
    request.maxBytes = Self.documentBytes
    request.scopeLimit = url == identifier.url ? limit : scope
    return request
  }

  /// Reads the response to `request`.
  ///
  /// Throws `responseUntrusted` for unsafe or invalid data, `unsupportedByProvider` for an identifier without OpenID, and
  /// `authorizationServerError` for a failing server.
  package mutating func read(_ response: HTTPResponse) throws(OAuthFailure) -> Step {
    scope = max(NetworkScope(url), response.scope ?? .publicNetwork)
    switch phase {
    case .identifier: return try readIdentifier(response)
    case .xrds(let page): return try readXRDS(response, namedBy: page)
    case .html(let fault): return try readHTML(response, after: fault)
    }
  }

  private mutating func readIdentifier(_ response: HTTPResponse) throws(OAuthFailure) -> Step {
    if try isRedirected(response) {
      claimedId = try OpenIDIdentifier(url: url.description).description
      return .next
    }
    guard response.status == 200 else { throw Self.failed(response.status) }
    if Self.type(response) == "application/xrds+xml" { return try readXRDS(response, namedBy: nil) }
    let page = HTMLHead(response.body)
    let isPage = Self.type(response).map { $0 == "text/html" || $0 == "application/xhtml+xml" } ?? true
    guard let location = response.header("X-XRDS-Location") ?? page.header("X-XRDS-Location") else {
      return try fallBack(to: isPage ? page : nil, after: nil)
    }
    phase = .xrds(page: isPage ? page : nil)
    do throws(OAuthFailure) {
      url = try follow(location)
    } catch {
      return try fallBack(to: isPage ? page : nil, after: error)
    }
    return .next
  }

  private mutating func readXRDS(_ response: HTTPResponse, namedBy page: HTMLHead?) throws(OAuthFailure) -> Step {
    let fault: OAuthFailure?
    do throws(OAuthFailure) {
      if try isRedirected(response) { return .next }
      guard response.status == 200 else { throw Self.failed(response.status) }
      let services = try services(inXRDS: response.body)
      if !services.isEmpty { return .found(services) }
      fault = nil
    } catch {
      fault = error
    }
    return try fallBack(to: page, after: fault)
  }

  /// Falls back to HTML if there is no valid XRDS, or none with an OpenID provider (7.3.3). If the identifier's server sent an XRDS at once, requests
  /// the HTML from the start.
  private mutating func fallBack(to page: HTMLHead?, after fault: OAuthFailure?) throws(OAuthFailure) -> Step {
    if let page {
      let services = try services(inHTML: page)
      if !services.isEmpty { return .found(services) }
      throw fault ?? Self.nothing
    }
    phase = .html(fault: fault)
    (url, claimedId, left) = (identifier.url, identifier.description, Self.hops)
    return .next
  }

  /// Reads the last response. An earlier error wins over this page's.
  private mutating func readHTML(_ response: HTTPResponse, after fault: OAuthFailure?) throws(OAuthFailure) -> Step {
    do throws(OAuthFailure) {
      if try isRedirected(response) {
        claimedId = try OpenIDIdentifier(url: url.description).description
        return .next
      }
      guard response.status == 200 else { throw Self.failed(response.status) }
      let services = Self.type(response) == "application/xrds+xml" ? [] : try services(inHTML: HTMLHead(response.body))
      guard !services.isEmpty else { throw Self.nothing }
      return .found(services)
    } catch {
      throw fault ?? error
    }
  }

  private mutating func isRedirected(_ response: HTTPResponse) throws(OAuthFailure) -> Bool {
    guard [301, 302, 303, 307, 308].contains(response.status) else { return false }
    guard let location = response.header("Location") else { throw Self.failed(response.status) }
    url = try follow(location)
    return true
  }

  private static func type(_ response: HTTPResponse) -> String? {
    response.header("Content-Type")?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
  }

  /// Follows a redirect or XRDS location if it is allowed.
  private mutating func follow(_ location: String) throws(OAuthFailure) -> URLParts {
    guard left > 0 else { throw .untrusted("the discovery of the OpenID identifier has too many redirects") }
    left -= 1
    let next: URLParts
    do throws(URLFailure) {
      next = try url.resolve(location)
    } catch {
      throw .untrusted("the discovery of the OpenID identifier leads to an invalid URL")
    }
    if let problem = problem(of: next) { throw .untrusted("the discovery of the OpenID identifier leads to \(problem)") }
    return next
  }

  /// Checks that a remote page does not send requests into this machine or its network.
  private func problem(of next: URLParts) -> String? {
    if !next.hasSafeScheme { return "an address without TLS" }
    if next.userInfo != nil { return "an address with a user name" }
    if NetworkScope(next) > scope { return "an address \(NetworkScope(next).place)" }
    return nil
  }

  private func services(inXRDS document: [UInt8]) throws(OAuthFailure) -> [OpenIDService] {
    let xrds: XRDS
    do throws(XMLReader.Fault) {
      xrds = try XRDS(document)
    } catch {
      throw .untrusted("the OpenID identifier's XRDS cannot be read: \(error)")
    }
    return try checked(xrds.openIDServices(claimedId: claimedId))
  }

  /// Reads the services from HTML (7.3.3), which cannot describe a provider's own identifier.
  private func services(inHTML head: HTMLHead) throws(OAuthFailure) -> [OpenIDService] {
    var services: [OpenIDService] = []
    if let endpoint = head.link("openid2.provider") {
      services.append(.init(kind: .signon, endpoint: endpoint, claimedId: claimedId, localId: head.link("openid2.local_id")))
    }
    if let endpoint = head.link("openid.server") {
      services.append(.init(kind: .signon1, endpoint: endpoint, claimedId: claimedId, localId: head.link("openid.delegate")))
    }
    return try checked(services)
  }

  /// Returns the services with safe endpoints; throws if all are unsafe.
  private func checked(_ services: [OpenIDService]) throws(OAuthFailure) -> [OpenIDService] {
    let good = services.filter { service in
      guard let url = try? URLParts(service.endpoint) else { return false }
      return problem(of: url) == nil && url.fragment == nil
    }
    if good.isEmpty, !services.isEmpty {
      throw .untrusted("the OpenID identifier names a provider at an unsafe address")
    }
    return good
  }

  private static var nothing: OAuthFailure { .unsupported("the identifier leads to no OpenID provider") }

  private static func failed(_ status: Int) -> OAuthFailure {
    OAuthFailure(
      .authorizationServerError, "the OpenID identifier could not be looked up: status \(status)",
      details: [.init("httpStatus", .integer(status))], isRetryable: status >= 500 || status == 429)
  }
}
