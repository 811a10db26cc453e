import Jansson
import OAuthCore
import Platform
import Synchronization

extension APICall {
  func allowedTarget(_ provider: Provider, _ hosts: AllowedHosts) throws -> URLParts {
    let url = try target(provider)
    guard url.hasSafeScheme else {
      throw Self.notAllowed(url, "only https is, or http on this machine", hosts).of(request.account)
    }
    guard hosts.allows(url) else {
      let why = "it is not one of the account's hosts; apiHosts in the provider's description names them"
      throw Self.notAllowed(url, why, hosts).of(request.account)
    }
    return url
  }

  private func target(_ provider: Provider) throws -> URLParts {
    let url: URLParts
    // An imported grant may lack variables that a sign-in would have stored.
    let unfilled = provider.api.apiBase.flatMap { Template($0).names.first }
    do {
      if let base = provider.api.apiBase, unfilled == nil {
        url = try URLParts(base).resolve(request.url, provider.api.apiPathJoin)
      } else {
        url = try URLParts(request.url)
      }
    } catch {
      if let unfilled {
        throw OAuthFailure(
          .configurationInvalid,
          "the account has no \(unfilled), which the provider's apiBase needs: sign in again, or give an absolute url",
          details: [.init("path", "/provider/apiBase")], account: request.account)
      }
      throw FieldError(
        "/url", provider.api.apiBase == nil ? "must be an absolute url, because the provider has no apiBase" : "is not a url")
    }
    guard url.scheme == "https" || url.scheme == "http" else { throw FieldError("/url", "must be an https url") }
    if url.userInfo != nil { throw FieldError("/url", "must not contain a user name") }
    let query = request.query.pairs.flatMap { pair in pair.value.values.map { (pair.name, $0) } }
    var target = url.appendingQuery(query + (try parametersInQuery))
    target.fragment = nil
    return target
  }

  func outgoing(_ url: URLParts, _ provider: Provider) async throws -> HTTPRequest {
    var headers = request.headers.pairs.map { HTTPHeader($0.name, $0.value) }
    func has(_ name: String) -> Bool { headers.contains { $0.name.lowercased() == name.lowercased() } }
    // Only the account's credential may be sent. A header of the caller would conflict with it.
    let taken = provider.api.apiCredential.header?.lowercased()
    headers.removeAll { $0.name.lowercased() == "authorization" || $0.name.lowercased() == taken }
    var outgoing = HTTPRequest(method: request.method, url: url.description, headers: headers)
    outgoing.addHeaders(of: provider)
    headers = outgoing.headers
    let root = limits.files?.descriptor
    if var body = try request.body ?? parametersInBody(provider.api.parameterFormat) {
      let files = body.files
      body.replaceFiles(by: try await places(files))
      let sent = body
      let boundary = "oauth-stdio-" + Base64.encodeURL(accounts.dependencies.random(12))
      do throws(OAuthFailure) {
        let encode = { @Sendable () throws(OAuthFailure) in try sent.encode(boundary: boundary, below: root) }
        // Only files block.
        let (content, type) = try await files.isEmpty ? encode() : Blocking.run(encode)
        outgoing.body = content
        if !has("Content-Type") { headers.append(HTTPHeader("Content-Type", type)) }
      } catch {
        throw error.of(request.account)
      }
    }
    if [.json, .results].contains(request.as), !has("Accept") { headers.append(HTTPHeader("Accept", "application/json")) }
    outgoing.headers = headers
    outgoing.isSentOnce = request.retries == false
    // The caller chose the host of a whole URL, so the scope limit doesn't apply.
    if request.endpoint != nil || (try? URLParts(request.url)) == nil { outgoing.scopeLimit = provider.scopeLimit(of: outgoing.url) }
    outgoing.dropsRedirectBodies = true
    if let maxBytes = request.maxBytes {
      outgoing.maxBytes = maxBytes
      outgoing.sinkLimit = maxBytes
    }
    outgoing.filesRoot = root
    if let path = request.saveTo {
      outgoing.sink = .file(path: try await places([path])[0], overwrites: request.overwrites)
    } else if request.streams {
      outgoing.sink = .stream { onProgress(.piece(offset: $0, bytes: $1)) }
    }
    // 64 KiB: far more than any service's error needs, and little memory.
    if provider.api.hasErrorsInSuccesses { outgoing.peekLimit = 64 << 10 }
    outgoing.progress = { _ = onProgress(.progress(sent: $0, received: $1, total: $2)) }
    return outgoing
  }

  /// Returns where the files are. Rejects files that contain the process's own secrets, and files outside the folder that a limit allows.
  func places(_ paths: [String]) async throws -> [String] {
    guard !paths.isEmpty else { return [] }
    do throws(OAuthFailure) { try limits.checkFiles() } catch { throw error.of(request.account) }
    let folder = limits.files
    let protected = accounts.dependencies.protectedFiles
    do throws(OAuthFailure) {
      return try await Blocking.run { () throws(OAuthFailure) in
        var (places, whole) = (paths, paths)
        if let folder {
          for index in paths.indices {
            places[index] = try folder.place(paths[index])
            whole[index] = try folder.wholePath(of: places[index])
          }
        }
        do throws(HTTPFailure) {
          for path in whole { try protected.check(path) }
        } catch {
          throw OAuthFailure(error)
        }
        return places
      }
    } catch {
      throw error.of(request.account)
    }
  }

  /// Whether parameters are sent in the body. Methods without a body send them in the query.
  private var parametersGoInBody: Bool { ["POST", "PUT", "PATCH"].contains(request.method.uppercased()) }

  private var parametersInQuery: [(String, String)] {
    get throws(FieldError) {
      parametersGoInBody ? [] : try request.scalarParameters.flatMap { pair in pair.value.values.map { (pair.name, $0) } }
    }
  }

  private func parametersInBody(_ format: APIOptions.ParameterFormat) throws(FieldError) -> APIBody? {
    guard let parameters = request.parameters, parametersGoInBody else { return nil }
    return switch format {
    case .json: .json(.object(parameters.pairs.map { JSON.Member($0.name, $0.value) }))
    case .form: .form(NamedValues(try request.scalarParameters))
    }
  }
}

extension HTTPRequest {
  /// Adds the headers that every call of the provider's API needs. Existing headers take precedence.
  mutating func addHeaders(of provider: Provider) {
    for (name, value) in provider.api.apiHeaders.pairs where !headers.contains(where: { $0.isNamed(name.lowercased()) }) {
      headers.append(HTTPHeader(name, value))
    }
  }
}

extension URLParts {
  /// Returns the URL that `text` means for an API with this base.
  func resolve(_ text: String, _ join: APIOptions.PathJoin) throws(URLFailure) -> URLParts {
    // Two slashes start a host (RFC 3986, 4.2).
    guard join == .underBase, text.utf8.starts(with: "/".utf8), !text.utf8.starts(with: "//".utf8) else { return try resolve(text) }
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex, !text.hasPrefix(path[...slash]) else { return try resolve(text) }
    return try resolve("." + text)
  }
}

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
      guard let url = try? URLParts(hop.request.url) else { return .refused(Self.redirects("a redirect has no valid url", hop.host)) }
      do throws(OAuthFailure) { try checkLimits(hop.request.method, url) } catch { return .refused(error) }
      if hop.carriesCredential, !hosts.allows(url) { hop.drop(credential) }
      var request = hop.request
      if hop.carriesCredential {
        do throws(OAuthFailure) {
          request = try credential.apply(to: request)
        } catch {
          // The caller's own URL could be signed, so this error is the redirect's.
          return .refused(hop.count == 0 || error["path"] != "/url" ? error : Self.redirects("a redirect cannot be signed", hop.host))
        }
      }
      request.timeout = max(1, deadline.left)
      let record = record(of: request, isRecorded: hop.carriesCredential, grant, provider)
      sendings.beginHop { record(.failure(.repeated)) }
      let response: HTTPResponse
      do throws(HTTPFailure) {
        response = try await accounts.dependencies.http.send(request)
        record(.success(response))
      } catch .outOfScope where hop.count > 0 {
        return .refused(Self.notAllowed(url, "a redirect led there, and it is on this machine or in a private network", hosts))
      } catch {
        record(.failure(OAuthFailure(error)))
        return .failure(error)
      }
      guard let location = Hop.location(of: response) else {
        return .success(response, withCredential: hop.carriesCredential)
      }
      guard let next = try? url.resolve(location) else {
        return .refused(Self.redirects("a redirect has no valid url", url.host))
      }
      // libcurl would turn a user name into an Authorization header. Other clients reject it as well (RFC 9110, 4.2.4).
      guard next.userInfo == nil else { return .refused(Self.redirects("a redirect leads to a url with a user name", url.host)) }
      let scope = max(NetworkScope(url), response.scope ?? .publicNetwork)
      guard next.hasSafeScheme, NetworkScope(next) <= scope else {
        return .refused(Self.notAllowed(next, "a redirect led there", hosts))
      }
      // The process trusts the response of a provider's endpoint. Only a host that may receive the token may send it.
      guard self.request.endpoint == nil || hosts.allows(next) else {
        return .refused(Self.notAllowed(next, "a redirect led there", hosts))
      }
      hop.follow(response.status, to: credential.removed(from: next))
      hop.request.scopeLimit = provider.names(next) ? .thisMachine : scope
    }
    return .refused(Self.redirects("there were more than \(Self.hopLimit) redirects", hop.host))
  }

  /// Returns a function that records how a sending of the request ended.
  private func record(
    of sent: HTTPRequest, isRecorded: Bool, _ grant: Grant, _ provider: Provider
  ) -> @Sendable (Result<HTTPResponse, OAuthFailure>) -> Void {
    guard isRecorded else { return { _ in } }
    let (record, account, use) = (accounts.dependencies.record, request.account, request.endpoint == nil ? "callAPI" : "userInfo")
    let hidden = Redaction([grant.accessToken, grant.tokenSecret].compactMap(\.self), provider: provider)
    // Without the request's functions, which hold the sendings, which hold this function.
    let shown = HTTPRequest(method: sent.method, url: sent.url)
    return { record(CredentialUse(account, use, shown, $0, hiding: hidden)) }
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
    private(set) var carriesCredential = true

    var host: String { (try? URLParts(request.url))?.host ?? "" }

    /// Returns where the response redirects to; nil if it is no redirect.
    static func location(of response: HTTPResponse) -> String? {
      guard HTTPResponse.redirects.contains(response.status), let location = response.header("Location") else { return nil }
      // A blank is invalid in a URL. Many services leave blanks of file names in it, and every browser escapes them.
      return location.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
    }

    /// Removes the headers that the caller and the description intend only for the account's hosts, for the rest of the chain.
    mutating func drop(_ credential: RequestCredential) {
      carriesCredential = false
      let names = credential.headerNames.union(["cookie"])
      request.headers.removeAll { names.contains($0.name.lowercased()) }
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
      var onRepetition: @Sendable () -> Void = {}
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var count: Int { state.withLock { $0.count } }

    func beginAttempt() { state.withLock { $0.count += 1 } }

    /// Begins a hop. Its first sending is not counted, because the attempt is. `onRepetition` is called before each further one.
    func beginHop(onRepetition: @escaping @Sendable () -> Void) {
      state.withLock { ($0.isFirstOfHop, $0.onRepetition) = (true, onRepetition) }
    }

    /// Counts each further sending. Returns false at the limit.
    func maySendAgain() -> Bool {
      let onRepetition: (@Sendable () -> Void)? = state.withLock { state in
        if state.isFirstOfHop {
          state.isFirstOfHop = false
          return {}
        }
        guard state.count < limit else { return nil }
        state.count += 1
        return state.onRepetition
      }
      onRepetition?()
      return onRepetition != nil
    }
  }
}
