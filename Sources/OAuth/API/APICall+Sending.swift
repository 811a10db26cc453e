import Jansson
import OAuthCore
import Platform
import Store
import Synchronization

extension APICall {
  /// More redirects than this count as a loop.
  private static let hopLimit = 10

  /// Sends the request and follows redirects. Each hop decides whether the credential is sent; once dropped, it stays dropped.
  func send(
    _ outgoing: HTTPRequest, _ credential: RequestCredential, _ grant: Grant, _ provider: Provider, _ hosts: AllowedHosts,
    _ sendings: Sendings, _ deadline: Clock.Deadline
  ) async -> Sent {
    var hop = Hop(request: outgoing)
    for _ in 0...Self.hopLimit {
      guard let url = try? URLParts(hop.request.url) else { return .rejected(Self.redirects("a redirect has no valid URL", hop.host)) }
      do throws(OAuthFailure) { try checkLimits(hop.request.method, url) } catch { return .rejected(error) }
      if !hosts.allows(url) { hop.carriesCredential = false }
      var request = hop.request
      if hop.carriesCredential {
        do throws(OAuthFailure) {
          request = try credential.apply(to: request)
        } catch {
          // The caller's own URL could be signed, so this error is the redirect's.
          return .rejected(hop.count == 0 || error["path"] != "/url" ? error : Self.redirects("a redirect cannot be signed", hop.host))
        }
      }
      request.timeout = max(1, deadline.left)
      sendings.beginHop()
      let response: HTTPResponse
      do {
        response = try await send(request, with: hop.carriesCredential ? grant : nil, provider)
      } catch HTTPFailure.outOfScope where hop.count > 0 {
        return .rejected(Self.notAllowed(url, "a redirect led there, and it is on this machine or in a private network", hosts))
      } catch let failure as HTTPFailure {
        return .failure(failure)
      } catch let failure as OAuthFailure {
        return .rejected(failure)
      } catch {
        return .failure(.cancelled)
      }
      guard let location = Hop.location(of: response) else {
        return .success(response, withCredential: hop.carriesCredential)
      }
      guard let next = try? url.resolve(location) else {
        return .rejected(Self.redirects("a redirect has no valid URL", url.host))
      }
      // libcurl would turn a user name into an Authorization header. Other clients reject it as well (RFC 9110, 4.2.4).
      guard next.userInfo == nil else { return .rejected(Self.redirects("a redirect leads to a URL with a user name", url.host)) }
      let scope = max(NetworkScope(url), response.scope ?? .publicNetwork)
      guard next.scheme == "https" || (url.scheme == "http" && next.hasSafeScheme), NetworkScope(next) <= scope else {
        return .rejected(Self.notAllowed(next, "a redirect led there", hosts))
      }
      // The process trusts the response of a provider's endpoint. Only a host that may receive the token may send it.
      guard self.request.endpoint == nil || hosts.allows(next) else {
        return .rejected(Self.notAllowed(next, "a redirect led there", hosts))
      }
      if next.hostAndPort != url.hostAndPort {
        hop.dropSecrets(except: hop.carriesCredential && hosts.allows(next) ? provider.api.apiHeaders : .init())
      }
      hop.follow(response.status, to: credential.removed(from: next))
      hop.request.scopeLimit = provider.names(next) ? .thisMachine : scope
    }
    return .rejected(Self.redirects("there were more than \(Self.hopLimit) redirects", hop.host))
  }

  /// Sends one hop. `grant` is that of its credential; nil if it has none.
  private func send(_ hop: HTTPRequest, with grant: Grant?, _ provider: Provider) async throws -> HTTPResponse {
    let dependencies = accounts.dependencies
    guard let grant else { return try await dependencies.http.send(hop) }
    return try await dependencies.recorded(
      hop, of: request.account, as: request.endpoint == nil ? "callAPI" : "userInfo",
      hiding: Redaction([grant.accessToken, grant.tokenSecret].compactMap(\.self), provider: provider)
    ) { try await dependencies.http.send($0) }
  }

  static func notAllowed(_ url: URLParts, _ why: String, _ hosts: AllowedHosts) -> OAuthFailure {
    OAuthFailure(
      .hostNotAllowed, "the token must not be sent to \(url.hostAndPort): \(why)",
      details: [.init("host", .string(url.hostAndPort)), .init("allowed", .array(hosts.names.map { .string($0) }))])
  }

  private static func redirects(_ message: String, _ host: String) -> OAuthFailure {
    OAuthFailure(.networkFailure, message, details: [.init("host", .string(host)), .init("cause", "redirects")])
  }
}

extension APICall {
  /// The next request of a chain of redirects.
  private struct Hop {
    var request: HTTPRequest
    /// How many redirects led here.
    var count = 0
    /// Whether every hop so far was to an allowed host. A foreign host that redirects back must not choose where the token is used.
    var carriesCredential = true

    var host: String { (try? URLParts(request.url))?.host ?? "" }

    /// Returns where the response redirects to; nil if it is not a redirect.
    static func location(of response: HTTPResponse) -> String? {
      guard HTTPResponse.redirects.contains(response.status), let location = response.header("Location") else { return nil }
      // A blank is invalid in a URL. Many services leave blanks of file names in it, and every browser escapes them.
      return location.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
    }

    /// Removes the headers that may carry a credential, for the rest of the chain. The caller meant them for the host that redirects.
    mutating func dropSecrets(except kept: NamedValues<String>) {
      request.headers.removeAll { header in
        SecretName.isHeader(header.name) && !kept.pairs.contains { HTTPHeader($0.name, $0.value) == header }
      }
    }

    /// Prepares the next hop. 303 changes the method to GET; 301 and 302 change POST to GET, as in every browser (RFC 9110, 15.4).
    /// Other redirects keep the method and body.
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

  /// Counts how often a call has been sent, without redirects. Includes libcurl's own repetitions on a kept connection that proves closed.
  final class Sendings: Sendable {
    private struct State {
      var count = 0
      var isFirstOfHop = true
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var count: Int { state.withLock { $0.count } }

    func beginAttempt() { state.withLock { $0.count += 1 } }

    /// Begins a hop. Its first sending is not counted, because the attempt is.
    func beginHop() { state.withLock { $0.isFirstOfHop = true } }

    /// Counts each further sending. Returns false at the limit.
    func maySendAgain() -> Bool {
      state.withLock { state in
        if state.isFirstOfHop {
          state.isFirstOfHop = false
          return true
        }
        guard state.count < limit else { return false }
        state.count += 1
        return true
      }
    }
  }
}
