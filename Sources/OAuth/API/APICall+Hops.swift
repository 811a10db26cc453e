import Jansson

extension APICall {
  /// More hops than this are a loop.
  private static let hopLimit = 10

  /// Sends once and follows redirects. Each hop decides whether the credential still goes along; once dropped, it stays dropped.
  func send(
    _ outgoing: HTTPRequest, _ credential: RequestCredential, _ provider: Provider, _ hosts: AllowedHosts, _ sendings: Sendings,
    _ deadline: Int
  ) async -> Sent {
    var hop = Hop(request: outgoing)
    for _ in 0...Self.hopLimit {
      guard let url = try? URLParts(hop.request.url) else { return .refused(Self.redirects("a redirect leads to no url", hop.host)) }
      if hop.carriesCredential, !hosts.allows(url) { hop.drop(credential) }
      var request = hop.request
      if hop.carriesCredential {
        do throws(OAuthFailure) {
          request = try credential.apply(to: request)
        } catch {
          // What the params ask for could be signed; where a redirect leads cannot.
          return .refused(hop.count == 0 || error["path"] != "/url" ? error : Self.redirects("a redirect cannot be signed", hop.host))
        }
      }
      // A clock that is set back must not make the call longer than it may be.
      request.timeout = min(max(1, deadline - accounts.now), self.request.timeout)
      sendings.beginHop()
      let response: HTTPResponse
      do throws(HTTPFailure) {
        response = try await accounts.surroundings.http.send(request)
      } catch .outOfScope where hop.count > 0 {
        return .refused(Self.notAllowed(url, "a redirect led there, and it is on this machine or in a private network", hosts))
      } catch {
        return .failure(error)
      }
      guard let location = Hop.location(of: response) else {
        return .success(response, withCredential: hop.carriesCredential)
      }
      guard let next = try? url.resolve(location) else {
        return .refused(Self.redirects("a redirect leads to no url", url.host))
      }
      // It would become an Authorization of its own, and is refused by others as well (RFC 9110, 4.2.4).
      guard next.userInfo == nil else { return .refused(Self.redirects("a redirect leads to a url with a user name", url.host)) }
      let scope = max(NetworkScope(url), response.scope ?? .publicNetwork)
      guard AllowedHosts.isSafe(next), NetworkScope(next) <= scope else {
        return .refused(Self.notAllowed(next, "a redirect led there", hosts))
      }
      // What an endpoint of the provider's tells is believed, so nobody may answer for it who was not shown the token.
      guard self.request.endpoint == nil || hosts.allows(next) else {
        return .refused(Self.notAllowed(next, "a redirect led there", hosts))
      }
      hop.follow(response.status, to: credential.removed(from: next))
      hop.request.scopeLimit = provider.names(next) ? .thisMachine : scope
    }
    return .refused(Self.redirects("there were more than \(Self.hopLimit) redirects", hop.host))
  }

  static func notAllowed(_ url: URLParts, _ why: String, _ hosts: AllowedHosts) -> OAuthFailure {
    OAuthFailure(
      .hostNotAllowed, "the token may not go to \(url.hostAndPort): \(why)",
      details: [.init("host", .string(url.hostAndPort)), .init("allowed", .array(hosts.names.map { .string($0) }))])
  }

  private static func redirects(_ message: String, _ host: String) -> OAuthFailure {
    OAuthFailure(.networkFailure, message, details: [.init("host", .string(host)), .init("cause", "redirects")])
  }
}

/// The next request of a chain of redirects.
private struct Hop {
  var request: HTTPRequest
  /// How many redirects led here.
  var count = 0
  /// Whether every hop so far went to an allowed host. A foreign host that redirects back must not choose what the token is used for.
  private(set) var carriesCredential = true

  var host: String { (try? URLParts(request.url))?.host ?? "" }

  /// Where the answer leads; nil where it does not.
  static func location(of response: HTTPResponse) -> String? {
    guard HTTPResponse.redirects.contains(response.status), let location = response.header("Location") else { return nil }
    // A blank has no place in a URL, yet many services leave those of a file's name in it, and every browser mends them.
    return location.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
  }

  /// Removes what the caller and the description meant for the account's hosts alone, for the rest of the chain.
  mutating func drop(_ credential: RequestCredential) {
    carriesCredential = false
    let names = credential.headerNames.union(["cookie"])
    request.headers.removeAll { names.contains($0.name.lowercased()) }
  }

  /// 303 asks for GET; 301 and 302 turn POST into GET, as every browser does (RFC 9110, 15.4); the others keep method and body.
  mutating func follow(_ status: Int, to url: URLParts) {
    count += 1
    var target = url
    target.fragment = nil
    request.url = target.description
    let method = request.method.uppercased()
    guard (status == 303 && method != "HEAD") || ((status == 301 || status == 302) && method == "POST") else { return }
    request.method = "GET"
    request.body = .none
    request.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
  }
}
