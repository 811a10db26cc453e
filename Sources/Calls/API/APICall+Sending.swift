import HTTP
import Jansson
import OAuth
import OAuthCore
import Platform
import Store

extension APICall {
  /// More redirects than this count as a loop.
  private static let hopLimit = 10
  /// Seconds. Servers keep an idle connection for longer.
  static let shortIdleTime = 3

  /// Sends the request and follows redirects. Each hop decides whether the credential is sent; once dropped, it stays dropped.
  /// Also returns whether the last hop received it.
  func send(_ state: inout State, _ credential: RequestCredential) async throws -> (HTTPResponse, withCredential: Bool) {
    var hop = Hop(request: state.ready.request, url: state.ready.url)
    while true {
      let response = try await exchange(hop, &state, credential)
      guard request.passing == nil, let location = Hop.location(of: response) else { return (response, hop.carriesCredential) }
      try follow(location, of: response, &hop, state.ready, credential)
    }
  }

  private func exchange(_ hop: Hop, _ state: inout State, _ credential: RequestCredential) async throws -> HTTPResponse {
    let dependencies = accounts.dependencies
    do {
      guard hop.carriesCredential else { return try await dependencies.http.send(limited(hop.request, state)) }
      var isRepeated = false
      return try await credential.send(hop.request) { proven in
        if isRepeated { state.attempts += 1 }
        isRepeated = true
        return try await dependencies.recorded(
          limited(proven, state), of: request.account, login: state.ready.grant.account,
          as: request.passing != nil ? "http" : request.endpoint == nil ? "callAPI" : "userInfo", hiding: state.ready.hidden
        ) { request in
          if case .supplied(let supply) = request.body, !supply.rewind() { throw BodyIsGone() }
          return try await dependencies.http.send(request)
        }
      }
    } catch let failure as OAuthFailure where hop.count > 0 && failure["path"] == "/url" {
      // The caller's own URL could be signed, so this error is the redirect's.
      throw Self.redirects("a redirect cannot be signed", hop.url.host)
    } catch HTTPFailure.outOfScope where hop.count > 0 {
      throw OAuthFailure.notAllowed(hop.url, "a redirect led there, and it is on this machine or in a private network", state.ready.hosts)
    }
  }

  /// Returns the request with the time that is left for it.
  private func limited(_ request: HTTPRequest, _ state: State) -> HTTPRequest {
    var request = request
    request.timeout = self.request.passing == nil ? max(1, state.deadline.left) : 0
    // A new connection for each proof would be slow. A connection that proves closed ends this sending, and the next one has another proof.
    if request.hasHeader("dpop"), ["GET", "HEAD"].contains(request.method) { request.connectionAge = Self.shortIdleTime }
    return request
  }

  /// Prepares the hop to which the response redirects; throws if the request must not go there.
  private func follow(
    _ location: String, of response: HTTPResponse, _ hop: inout Hop, _ ready: Ready, _ credential: RequestCredential
  ) throws {
    let url = hop.url
    guard let next = try? url.resolve(location) else { throw Self.redirects("a redirect has no valid URL", url.host) }
    // libcurl would turn a user name into an Authorization header. Other clients reject it as well (RFC 9110, 4.2.4).
    guard next.userInfo == nil else { throw Self.redirects("a redirect leads to a URL with a user name", url.host) }
    let scope = max(NetworkScope(url), response.scope ?? .publicNetwork)
    let isSafe = next.scheme == "https" || (url.scheme == "http" && next.hasSafeScheme)
    // The process trusts the response of a provider's endpoint. Only a host that may receive the token may send it.
    guard isSafe, NetworkScope(next) <= scope, request.endpoint == nil || ready.hosts.allows(next) else {
      throw OAuthFailure.notAllowed(next, "a redirect led there", ready.hosts)
    }
    if next.hostAndPort != url.hostAndPort {
      hop.dropSecrets(except: hop.carriesCredential && ready.hosts.allows(next) ? ready.resolved.provider.api.apiHeaders : .init())
    }
    hop.follow(response.status, to: credential.removed(from: next))
    hop.request.scopeLimit = ready.resolved.provider.names(next) ? .thisMachine : scope
    guard let target = try? URLParts(hop.request.url) else { throw Self.redirects("a redirect has no valid URL", url.host) }
    hop.url = target
    guard hop.count <= Self.hopLimit else { throw Self.redirects("there were more than \(Self.hopLimit) redirects", target.host) }
    try callLimits?.check(call: hop.request.method, to: target)
    if !ready.hosts.allows(target) { hop.carriesCredential = false }
  }

  private static func redirects(_ message: String, _ host: String) -> OAuthFailure {
    OAuthFailure(.networkFailure, message, details: [.init("host", .string(host)), .init("cause", "redirects")])
  }
}

extension APICall {
  /// The next request of a chain of redirects.
  private struct Hop {
    var request: HTTPRequest
    var url: URLParts
    /// How many redirects led here.
    var count = 0
    /// Whether every hop so far was to an allowed host. A foreign host that redirects back must not choose where the token is used.
    var carriesCredential = true

    /// Returns where the response redirects to; nil if it is not a redirect.
    static func location(of response: HTTPResponse) -> String? {
      guard HTTPResponse.redirects.contains(response.status), let location = response.header("Location") else { return nil }
      // A blank is invalid in a URL. Many services leave blanks of file names in it, and every browser escapes them.
      return location.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
    }

    /// Removes the headers that may carry a credential, for the rest of the chain. The caller meant them for the host that redirects.
    mutating func dropSecrets(except exempt: NamedValues<String>) {
      request.headers.removeAll { header in
        SecretName.isHeader(header.name) && !exempt.pairs.contains { HTTPHeader($0.name, $0.value) == header }
      }
    }

    /// Prepares the next hop. 303 changes the method to GET; 301 and 302 change POST to GET, as in every browser (RFC 9110, 15.4).
    /// Other redirects keep the method and body.
    mutating func follow(_ status: Int, to target: URLParts) {
      count += 1
      var target = target
      target.fragment = nil
      request.url = target.description
      let method = request.method.uppercased()
      guard (status == 303 && method != "HEAD") || ((status == 301 || status == 302) && method == "POST") else { return }
      request.method = "GET"
      request.body = .none
      request.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
  }
}

extension APICall {
  /// Milliseconds before a blocked stream is tried again, the same as in libcurl's loop.
  private static let streamRetryIntervalMilliseconds = 20

  /// Writes a held-back body to the caller's sink.
  func deliver(_ body: [UInt8], to outgoing: HTTPRequest, _ deadline: Clock.Deadline) async throws {
    switch outgoing.sink {
    case .memory, .relay: break
    case .file(let path, let overwrites, let resource):
      try await Blocking.run { () throws(OAuthFailure) in
        do throws(HTTPFailure) {
          let file = try DownloadFile(path: path, overwrites: overwrites, below: outgoing.filesRoot, resource: resource)
          file.forget()
          try file.write(body)
          try file.finish()
        } catch {
          throw OAuthFailure(error)
        }
      }
    case .stream(let deliver):
      while !deliver(0, body) {
        guard deadline.left > 0 else {
          throw OAuthFailure(.timedOut, "the client did not read the body within \(request.timeout) s", isRetryable: true)
        }
        try await accounts.clock.sleep(milliseconds: Self.streamRetryIntervalMilliseconds)
      }
    }
  }
}
