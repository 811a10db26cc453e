import OAuthCore
import Platform

/// Sends one request to a server and returns its response. The program uses libcurl; tests use an array of prepared responses.
package protocol HTTPClient: Sendable {
  /// Sends one request and follows no redirect. Cancelling the task ends the exchange with `HTTPFailure.cancelled`.
  /// Unless `isSentOnce` is set, libcurl may resend an idempotent request whose reused connection was closed.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}

extension HTTPClient {
  /// Sends a request and reports a failed exchange as `OAuthFailure`. Throws `CancellationError` if the task is cancelled.
  /// A request to one of the provider's endpoints is limited to the scope of the server that published it.
  package func exchange(_ request: HTTPRequest, to provider: Provider? = nil) async throws -> HTTPResponse {
    var request = request
    if let provider { request.scopeLimit = min(request.scopeLimit, provider.scopeLimit(of: request.url)) }
    do throws(HTTPFailure) {
      return try await send(request)
    } catch {
      try Task.checkCancellation()
      throw OAuthFailure(error)
    }
  }
}

extension OAuthFailure {
  /// Converts a failure of the HTTP exchange. The message names the host but not the URL, because queries hold secrets.
  package init(_ failure: HTTPFailure) {
    switch failure {
    case .network(let host, let cause, _, let proxy, let problem, let advice):
      let place = proxy.map { "the proxy \($0) for \(host)" } ?? host
      let closed = "check the address, a firewall, and HTTPS_PROXY if the network wants a proxy"
      let (usual, usualAdvice): (String?, String?) =
        switch cause {
        case "resolve": ("could not be reached: its name could not be resolved", "check the name, and that this machine is online")
        case "connect": ("could not be reached: nothing accepts connections there, or a firewall blocks them", closed)
        case "protocol": ("sent a response that is not HTTP", nil)
        case HTTPFailure.noDescriptors: ("could not be reached: \(Descriptors.exhausted)", nil)
        default: (nil, nil)
        }
      self.init(
        .networkFailure, (problem ?? usual).map { "\(place) \($0)" } ?? "the connection to \(place) broke off",
        details: [.init("host", .string(host)), .init("cause", .string(proxy == nil ? cause : "proxy"))],
        isRetryable: cause != "tls" && cause != "proxy")
      self.advice = (advice ?? (proxy == nil ? usualAdvice : "check HTTPS_PROXY and NO_PROXY")).map(Advice.network)
    case .timedOut(let host):
      self.init(.timedOut, "\(host) did not answer in time", details: [.init("host", .string(host))], isRetryable: true)
    case .tooLarge(let limit):
      self.init(.responseTooLarge, "the response is larger than \(limit) bytes", details: [.init("maxBytes", .integer(limit))])
    case .outOfScope(let host, let isPublic):
      self.init(
        .hostNotAllowed,
        "requests to \(host) are not allowed: "
          + (isPublic
            ? "http reaches this machine and private networks only, and the address of \(host) is public; use https"
            : "\(host) is on this machine or in a private network, but a server on a more public network named it; to allow it, "
              + "name \(host) in the provider's description"),
        details: [.init("host", .string(host))])
    case .certificate(let host, let problem, let isRejected):
      guard isRejected else {
        self = .misconfigured("/clientCertificate", "the client certificate cannot be used: \(problem)")
        return
      }
      self.init(
        .networkFailure, "\(host) \(problem): name one that it accepts as clientCertificate, and sign in again",
        details: [.init("host", .string(host)), .init("cause", .string(HTTPFailure.rejectedCertificate))])
    case .file(let path, let reason):
      self.init(
        .storageFailure, "the file \(path) cannot be used: \(reason)", details: [.init("path", .string(path))],
        isRetryable: reason == Descriptors.exhausted)
    case .exists(let path):
      self.init(.storageFailure, "the file \(path) cannot be used: it already exists", details: [.init("path", .string(path))])
      advice = .overwrite
    case .cancelled: self.init(.networkFailure, "the exchange was cancelled", details: [.init("cause", "cancelled")])
    case .unavailable(let reason):
      self.init(.networkFailure, "libcurl cannot be used: \(reason)", details: [.init("cause", "libcurl")])
      advice = .network("install libcurl (Debian: libcurl4)")
    }
  }
}
