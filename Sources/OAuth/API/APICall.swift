import Dispatch
import Jansson

/// Carries one API call to its end: token, hops, the replay after a 401, and retries, each under its own rule.
package struct APICall: Sendable {
  /// What is told while a call runs.
  package enum Progress: Sendable {
    case progress(sent: Int, received: Int, total: Int?)
    /// False asks for the same piece again later.
    case piece(offset: Int, bytes: [UInt8])
  }

  /// More hops than this are a loop.
  private static let hopLimit = 10
  /// How often one request is sent at the most because of failures that may pass.
  private static let attemptLimit = 4

  let accounts: Accounts
  let request: APIRequest
  let onProgress: @Sendable (Progress) -> Bool

  package init(accounts: Accounts, request: APIRequest, onProgress: @escaping @Sendable (Progress) -> Bool) {
    self.accounts = accounts
    self.request = request
    self.onProgress = onProgress
  }

  package func run() async throws -> APIResponse {
    try request.check()
    var (grant, refreshed) = try await accounts.live(request.account, cause: request.cause)
    let provider = try grant.resolvedProvider
    let hosts = AllowedHosts(provider, and: request.endpoint)
    let url = try allowedTarget(provider, hosts)
    let outgoing = try await outgoing(url, provider)
    let deadline = accounts.now + request.timeout
    var attempts = 0
    var hasReplayed = false
    while true {
      try Task.checkCancellation()
      attempts += 1
      let credential = RequestCredential(grant: grant, provider: provider, surroundings: accounts.surroundings)
      let result = await send(outgoing, credential, hosts, deadline)
      if case .success(let response, true) = result, response.status == 401, !hasReplayed, grant.canRefresh(at: accounts.now) {
        hasReplayed = true
        grant = try await accounts.replace(grant, cause: request.cause)
        refreshed = true
        continue
      }
      if let pause = pause(after: result, attempts: attempts, deadline: deadline) {
        try await Task.sleep(for: .milliseconds(pause))
        continue
      }
      switch result {
      case .success(let response, _): return APIResponse(response, request, refreshed: refreshed, attempts: attempts)
      case .failure(.cancelled): throw CancellationError()
      case .failure(let failure): throw OAuthFailure(failure).of(request.account)
      case .refused(let failure): throw failure.of(request.account)
      }
    }
  }

  /// The request with its credential, for a client that sends it itself.
  package func authorized(body: String?) async throws -> HTTPRequest {
    try request.check()
    let grant = try await accounts.live(request.account, cause: request.cause).grant
    let provider = try grant.resolvedProvider
    let url = try allowedTarget(provider, AllowedHosts(provider))
    var outgoing = HTTPRequest(
      method: request.method, url: url.description, headers: request.headers.pairs.map { HTTPHeader($0.name, $0.value) })
    if let body { outgoing.body = .bytes(Array(body.utf8)) }
    return try RequestCredential(grant: grant, provider: provider, surroundings: accounts.surroundings).apply(to: outgoing)
  }

  private enum Sent {
    /// `withCredential` tells whether the last hop got the token: one that did not get it says nothing about it.
    case success(HTTPResponse, withCredential: Bool)
    case failure(HTTPFailure)
    case refused(OAuthFailure)
  }

  /// Sends once and follows redirects, deciding at each hop anew whether the credential may go along.
  private func send(_ outgoing: HTTPRequest, _ credential: RequestCredential, _ hosts: AllowedHosts, _ deadline: Int) async -> Sent {
    var hop = Hop(request: outgoing)
    for _ in 0...Self.hopLimit {
      guard let url = try? URLParts(hop.request.url) else { return .refused(Self.redirects("a redirect leads to no url", hop.host)) }
      var request = hop.request
      let isAllowed = hosts.allows(url)
      if isAllowed {
        do throws(OAuthFailure) {
          request = try credential.apply(to: request)
        } catch {
          return .refused(error)
        }
      } else {
        request.headers.removeAll { ["authorization", "cookie", "proxy-authorization"].contains($0.name.lowercased()) }
      }
      request.timeout = max(1, deadline - accounts.now)
      let response: HTTPResponse
      do throws(HTTPFailure) {
        response = try await accounts.surroundings.http.send(request)
      } catch {
        return .failure(error)
      }
      guard Hop.isRedirect(response), let location = response.header("Location") else {
        return .success(response, withCredential: isAllowed)
      }
      guard let next = try? url.resolve(location) else {
        return .refused(Self.redirects("a redirect leads to no url", url.host))
      }
      // A public service must not send us to something that listens on this machine.
      guard AllowedHosts.isSafe(next), !AllowedHosts.mayBeThisMachine(next) || url.isLoopback else {
        return .refused(Self.notAllowed(next, "a redirect led there"))
      }
      hop.follow(response.status, to: next)
    }
    return .refused(Self.redirects("there were more than \(Self.hopLimit) redirects", hop.host))
  }

  /// How many milliseconds to wait before the next attempt; nil when there shall be none.
  private func pause(after result: Sent, attempts: Int, deadline: Int) -> Int? {
    let isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.method.uppercased())
    guard request.retries ?? isIdempotent, attempts < Self.attemptLimit else { return nil }
    var pause = 250 << (attempts - 1)
    switch result {
    case .success(let response, _) where [429, 502, 503, 504].contains(response.status):
      if let text = response.header("Retry-After"), let after = try? RetryAfter(text, now: Int64(accounts.now)) {
        pause = Int(after.seconds(from: Int64(accounts.now))) * 1000
      }
    case .failure(.network(_, "broken", answered: false)): break
    default: return nil
    }
    // A wait that outlives the call's time helps nobody; the answer that there is says more.
    return accounts.now + (pause + 999) / 1000 < deadline ? pause : nil
  }

  private func allowedTarget(_ provider: Provider, _ hosts: AllowedHosts) throws -> URLParts {
    let url = try target(provider)
    guard AllowedHosts.isSafe(url) else { throw Self.notAllowed(url, "only https is, or http on this machine").of(request.account) }
    guard hosts.allows(url) else { throw Self.notAllowed(url, "it is none of the account's hosts").of(request.account) }
    return url
  }

  private func target(_ provider: Provider) throws -> URLParts {
    let url: URLParts
    do {
      if let base = try provider.api.apiBase.map({ try URLParts($0) }) {
        url = try base.resolve(request.url)
      } else {
        url = try URLParts(request.url)
      }
    } catch {
      throw FieldError("/url", provider.api.apiBase == nil ? "has to be an absolute url, since the provider has no apiBase" : "is no url")
    }
    guard url.scheme == "https" || url.scheme == "http" else { throw FieldError("/url", "has to be an https url") }
    if url.userInfo != nil { throw FieldError("/url", "must not contain a user name") }
    let query = request.query.pairs.flatMap { pair in pair.value.values.map { (pair.name, $0) } }
    var target = query.isEmpty ? url : url.appendingQuery(query)
    target.fragment = nil
    return target
  }

  private func outgoing(_ url: URLParts, _ provider: Provider) async throws -> HTTPRequest {
    var headers = request.headers.pairs.map { HTTPHeader($0.name, $0.value) }
    func has(_ name: String) -> Bool { headers.contains { $0.name.lowercased() == name.lowercased() } }
    // The account's credential is the only one that may go; a caller's own would fight with it.
    headers.removeAll { $0.name.lowercased() == "authorization" }
    for (name, value) in provider.api.apiHeaders.pairs where !has(name) { headers.append(HTTPHeader(name, value)) }
    var outgoing = HTTPRequest(method: request.method, url: url.description)
    if let body = request.body {
      let boundary = "oauth-stdio-" + Base64.encodeURL(accounts.surroundings.random(12))
      let (content, type) = try await OffPool.run { () throws(OAuthFailure) in try body.encode(boundary: boundary) }
      outgoing.body = content
      if !has("Content-Type") { headers.append(HTTPHeader("Content-Type", type)) }
    }
    if request.as == .json, !has("Accept") { headers.append(HTTPHeader("Accept", "application/json")) }
    outgoing.headers = headers
    outgoing.isSentOnce = request.retries == false
    if let maxBytes = request.maxBytes {
      outgoing.maxBytes = maxBytes
      outgoing.sinkLimit = maxBytes
    }
    if let path = request.saveTo {
      outgoing.sink = .file(path: path)
    } else if request.streams {
      outgoing.sink = .stream { onProgress(.piece(offset: $0, bytes: $1)) }
    }
    outgoing.progress = { _ = onProgress(.progress(sent: $0, received: $1, total: $2)) }
    return outgoing
  }

  private static func notAllowed(_ url: URLParts, _ why: String) -> OAuthFailure {
    OAuthFailure(.hostNotAllowed, "the token may not go to \(url.host): \(why)", details: [.init("host", .string(url.host))])
  }

  private static func redirects(_ message: String, _ host: String) -> OAuthFailure {
    OAuthFailure(.networkFailure, message, details: [.init("host", .string(host)), .init("cause", "redirects")])
  }
}

/// The next request of a chain of redirects.
private struct Hop {
  var request: HTTPRequest

  var host: String { (try? URLParts(request.url))?.host ?? "" }

  static func isRedirect(_ response: HTTPResponse) -> Bool { [301, 302, 303, 307, 308].contains(response.status) }

  /// 303 asks for GET; 301 and 302 turn POST into GET, as every browser does (RFC 9110, 15.4); the others keep method and body.
  mutating func follow(_ status: Int, to url: URLParts) {
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

/// Runs what blocks on a thread that tasks do not share: with two cores, two blocked threads would stop everything.
enum OffPool {
  static func run<Value: Sendable>(_ work: @escaping @Sendable () throws(OAuthFailure) -> Value) async throws(OAuthFailure) -> Value {
    let result: Result<Value, OAuthFailure> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Result { () throws(OAuthFailure) in try work() }) }
    }
    return try result.get()
  }
}
