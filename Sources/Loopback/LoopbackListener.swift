import Dispatch
import OAuthCore
import Platform
import Store

/// Receives redirects on this machine (RFC 8252 section 7.3), on separate threads, until it is closed.
///
/// The browser gets its page only after `handler` has returned. The code is exchanged first, so the page shows the real outcome.
package final class LoopbackListener: Sendable {
  /// Limits for a connection to the loopback address. Tests pass smaller ones. All times are milliseconds.
  package struct Limits: Sendable {
    /// Bytes of request line and header fields. A browser sends the cookies of every program that has served this host, on any port.
    var headBytes = 64 * 1024
    /// Bytes of a `form_post` body, which may carry an ID token with many claims.
    var bodyBytes = 64 * 1024
    /// From accepting the connection to the end of the request.
    var requestMilliseconds = 10_000
    /// For the handler: a code exchange of 30 s, a retry, and some reserve.
    var handlerMilliseconds = 120_000
    /// For the browser to receive a response of a few kilobytes.
    var writeMilliseconds = 5_000
    /// From our last byte to the browser's own close. Closing with unread input would reset the connection and lose the response.
    var lingerMilliseconds = 1_000
    /// The longest wait of `settle` and `finish` for responses in progress.
    var finishMilliseconds = 2_000
    /// How long a listener responds after its sign-in has ended: time to reload the page or to find a second tab.
    var keepsAnsweringMilliseconds = 60_000
    /// From the last page to the end of a listener that another program may need. Redirects of other processes may arrive at the same time.
    var closesMilliseconds = 5_000
    /// Concurrent connections, each with its thread. Browsers open two to six.
    var connections = 16

    package init() {}
  }

  /// Why no listener could be opened.
  package enum Failure: Error, Equatable {
    /// Another program uses every candidate.
    case portInUse([UInt16])
    case unavailable(reason: String)

    package var failure: OAuthFailure {
      switch self {
      case .portInUse(let ports):
        OAuthFailure(
          .portInUse, "another program uses the port \(ports.map(String.init).joined(separator: ", ")) of the redirect URI",
          details: [.init("port", .integer(Int(ports.first ?? 0)))], isRetryable: true)
      case .unavailable(let reason):
        OAuthFailure(
          .networkFailure, "the process cannot listen for the redirect: \(reason)", details: [.init("cause", "loopback")],
          isRetryable: reason.hasSuffix(Descriptors.exhausted))
      }
    }
  }

  /// The bound port, which is the redirect URI's.
  package var port: UInt16 { server.target.port }
  private let server: LoopbackListener.Server

  private init(_ server: LoopbackListener.Server) { self.server = server }

  deinit { close() }

  /// Opens the listener and returns once it is listening. `handler` is called for each well-formed redirect, concurrently if necessary.
  /// A handler continues after `close` and after the browser has disconnected. `finish` and its time limit cancel it.
  ///
  /// The browser is redirected from `startPath`. Connections of other users, as `ownerOf` reports them, are closed unread.
  /// With `isShared`, several sign-ins use the port, each with its path.
  package static func open(
    _ address: LoopbackAddress, startPath: String = "", isShared: Bool = false, limits: Limits = Limits(),
    ownerOf: @escaping @Sendable (Int32) -> ConnectionOwner? = ConnectionOwner.ofPeer, log: (any LogSink)? = nil,
    handler: @escaping @Sendable (LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer
  ) throws(Failure) -> LoopbackListener {
    guard address.isPathUsable else {
      throw .unavailable(reason: "the redirect path must begin with / and contain only plain URL characters")
    }
    let sockets = try bind(address)
    let target = LoopbackRequest.Target(address, port: sockets[0].port, startPath: startPath, isShared: isShared)
    let server = try LoopbackListener.Server(sockets, target, limits, ownerOf: ownerOf, log: log, handler: handler)
    return LoopbackListener(server)
  }

  /// The scheme, host and port of its address.
  package var origin: String { server.target.origin }

  /// The URL that the browser opens instead of the authorization URL; nil without a start path.
  package var startAddress: String? { server.target.startPath.isEmpty ? nil : origin + server.target.startPath }

  /// Keeps responding for a minute, so that a reloaded page or a late redirect gets a true response.
  /// With `untilPage`, frees the port soon after a page was delivered: another program may need it.
  package func keepAnswering(untilPage: Bool = false) {
    let end = Clock.system.uptime() + server.limits.keepsAnsweringMilliseconds
    server.order { ($0.answersUntil, $0.endsWithPage) = (end, untilPage) }
  }

  /// Withdraws `keepAnswering`. Returns false if the listener is closed.
  func stay() -> Bool {
    server.state.withLock { state in
      guard !state.isOver else { return false }
      (state.answersUntil, state.endsWithPage) = (nil, false)
      return true
    }
  }

  /// Holds a lock until the port is closed.
  package func hold(_ lock: GrantLock) { server.state.withLock { $0.locks.append(lock) } }

  /// Waits for the responses in progress, at most two seconds.
  package func settle() async { await end(of: server.responding, within: server.limits.finishMilliseconds) }

  /// Waits until the listener is closed and every response has ended.
  package func end() async { await end(of: server.running) }

  private func end(of group: DispatchGroup, within milliseconds: Int? = nil) async {
    let end = Promise<Void>()
    group.notify(queue: .global()) { end.settle(.success(())) }
    if let milliseconds {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { end.settle(.success(())) }
    }
    _ = try? await end.value()
  }

  /// Closes the port before it returns, so that the next sign-in can bind it. Redirects in progress still get their page.
  /// May be called repeatedly, and within the handler. The accepting thread blocks only in `poll`, so this takes no time.
  package func close() {
    server.order { $0.isClosing = true }
    server.listening.wait()
  }

  /// Closes the listener and waits for the responses in progress, at most two seconds. Then drops the rest and cancels their handlers.
  /// Must not be awaited within the handler, because it waits for the handler.
  package func finish() async {
    close()
    await settle()
    for connection in server.state.withLock({ $0.connections }) { connection.drop() }
    await end()
  }

  // MARK: Binding

  /// Attempts to find a port that is free in both families. An attempt fails only if another program holds the chosen port on ::1.
  private static let freePortAttempts = 16

  /// Binds the first free candidate: one socket, or two on the same port for `localhost`.
  private static func bind(_ address: LoopbackAddress) throws(Failure) -> [LoopbackSocket] {
    guard !address.ports.isEmpty else { throw .unavailable(reason: "no port was given to listen on") }
    var otherReason: Failure?
    for port in address.ports {
      for _ in 0..<(port == 0 ? freePortAttempts : 1) {
        do throws(Descriptors.Fault) {
          return try bind(address, on: port)
        } catch {
          if error.code == EADDRINUSE { continue }
          let what = port == 0 ? "no port could be opened" : "the port \(port) could not be opened"
          otherReason = otherReason ?? .unavailable(reason: "\(what): \(error.reason)")
        }
      }
    }
    throw otherReason ?? .portInUse(address.ports)
  }

  private static func bind(_ address: LoopbackAddress, on port: UInt16) throws(Descriptors.Fault) -> [LoopbackSocket] {
    let numbers = address.interface?.filter { $0 != "[" && $0 != "]" }
    let first = try LoopbackSocket(isIPv6: address.host == .ipv6, address: numbers, port: port)
    guard address.host == .localhost else { return [first] }
    do throws(Descriptors.Fault) {
      return [first, try LoopbackSocket(isIPv6: true, port: first.port)]
    } catch {
      guard error.code == EADDRINUSE else { return [first] }
      first.end()
      throw error
    }
  }
}

extension LoopbackRequest {
  /// The parameters of a redirect, sent by GET (RFC 6749 section 4.1.2) or as the form of `response_mode=form_post`.
  package struct Redirect: Equatable, Sendable, Confidential {
    /// In the order received.
    package internal(set) var parameters: [RedirectParameter] = []
    package var acceptLanguage: String?
    /// The origins that the request may be for: the one that it names, or all of the listener's if it names another host, which is not repeated.
    let origins: [String]
    /// In origin form: path and query, which contains the code.
    let target: String
    /// Whether the request names another host. A forwarder of ports may do so, and so does DNS rebinding: only a redirect's `state` tells them apart.
    package var isForeign = false
    /// Whether a forwarder may have brought the request, from a browser that reaches no other port of this machine.
    package var isForwarded = false
    /// Whether the browser requests the start of the sign-in instead of a redirect.
    package var isStart = false

    /// The redirect URIs that the request may be for.
    package var places: [String] { origins.map { $0 + target.prefix { $0 != "?" } } }

    /// Returns the received URL at another origin.
    package func url(at origin: String) -> String { origin + target }

    package var description: String { "redirect with \(parameters.map(\.name))" }

    /// The sign-in's response to a redirect.
    package enum Answer: Sendable {
      /// The redirect belongs to no sign-in of this process (missing or unknown `state`). The response is 404, and the listener keeps waiting.
      case notOurs
      case page(ResultPage)
      /// Redirects the browser to the authorization page: the response to the start address.
      case elsewhere(String)
      /// Sends the browser to the process whose sign-in the redirect belongs to, with the same method and form.
      case forwarded(String)
      /// The page of that process, for a browser that does not reach it.
      case relayed(HTTPResponse)

      var isPage: Bool { if case .page = self { true } else { false } }
    }

    /// Names that decide a sign-in. With a repeated name or a broken value, two parsers could see different responses (RFC 6749 section 3.1).
    private static let single: Set<String> = ["code", "state", "error", "iss", "oauth_token", "oauth_verifier"]

    /// Decodes the `application/x-www-form-urlencoded` query or form of a redirect (WHATWG URL 5.1).
    ///
    /// Rejects with 400 a repeated name of that list, and an incomplete escape or invalid UTF-8 in its value.
    /// Other values are decoded leniently, as browsers do: a description in Latin-1 must not hide `error` and `state`.
    package static func parameters(_ bytes: some Sequence<UInt8>) throws(LoopbackRequest.Rejection) -> [RedirectParameter] {
      var parameters: [RedirectParameter] = []
      var seen: Set<String> = []
      for (encoded, value) in FormEncoding.parts(bytes) {
        let name = PercentEncoding.lenientText(encoded, plusIsBlank: true)
        if single.contains(name), !seen.insert(name).inserted { throw .badRequest("\(name) occurs twice") }
        let text = single.contains(name) ? try strictText(value) : PercentEncoding.lenientText(value, plusIsBlank: true)
        parameters.append(RedirectParameter(name: name, value: text))
      }
      return parameters
    }

    private static func strictText(_ bytes: ArraySlice<UInt8>) throws(LoopbackRequest.Rejection) -> String {
      guard let decoded = PercentEncoding.decode(bytes, plusIsBlank: true) else { throw .badRequest("a percent escape is incomplete") }
      guard let text = String(validating: decoded, as: UTF8.self) else { throw .badRequest("a parameter is not UTF-8") }
      return text
    }
  }
}
