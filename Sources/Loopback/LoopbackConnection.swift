import Dispatch
import Platform
import Synchronization

/// One accepted connection. Its thread receives a request, sends the response and waits until the browser closes.
final class LoopbackConnection: Sendable {
  enum Phase {
    case reading
    /// A request has arrived, or none came in time. A browser that disconnects doesn't end the exchange.
    case responding
    /// The response is sent.
    case lingering
  }

  private struct State {
    var phase = Phase.reading
    var isDropped = false
    var handler: Task<Void, Never>?
    var answer: LoopbackRequest.Redirect.Answer?
  }

  private let descriptor: Int32
  private let state = Mutex(State())
  /// Signalled when the handler has returned or the connection is dropped.
  private let isAnswered = DispatchSemaphore(value: 0)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Whether its owner may use the sign-in's address. Asked before anything is read.
  func isServed(by server: LoopbackListener.Server) -> Bool {
    // A forwarder may be another user's, or another machine's.
    guard !server.target.takesAnyHost, let owner = server.ownerOf(descriptor) else { return true }
    switch owner {
    case .unknown:
      server.log?.take(.init(.warning, "a connection to the redirect address of a sign-in was served, although its user is unknown"))
    case .user(let id) where !owner.isServed:
      server.log?.take(.init(.warning, "a connection from the user \(id) to the redirect address of a sign-in was rejected"))
    case .user, .gone: break
    }
    return owner.isServed
  }

  /// Ends the connection and cancels its handler, if it is in one of the phases. Returns whether it is ended.
  @discardableResult func drop(in phases: [Phase] = [.reading, .responding, .lingering]) -> Bool {
    let (isDropped, handler) = state.withLock { state in
      if phases.contains(state.phase) { state.isDropped = true }
      return (state.isDropped, state.handler)
    }
    guard isDropped else { return false }
    shutdown(descriptor, Int32(SHUT_RDWR))
    handler?.cancel()
    isAnswered.signal()
    return true
  }

  /// Serves the connection. Blocks the thread until the browser or the server closes.
  func serve(_ server: LoopbackListener.Server) {
    let response: [UInt8]
    var hasPage = false
    defer { if state.withLock({ $0.phase != .reading }) { server.responding.leave() } }
    do throws(LoopbackRequest.Rejection) {
      guard let request = try request(server), begin(server) else { return }
      guard let answer = try answer(request, server) else { return }
      if request.isForeign, case .notOurs = answer { throw .misdirected }
      response = Self.response(answer, acceptLanguage: request.acceptLanguage)
      hasPage = answer.isPage
    } catch {
      guard begin(server) else { return }
      response = Self.response(error.status, "text/plain", Array(error.text.utf8))
    }
    guard LoopbackSocket.sendAll(response, to: descriptor, timeoutMilliseconds: server.limits.writeMilliseconds) else { return }
    shutdown(descriptor, Int32(SHUT_WR))
    state.withLock { $0.phase = .lingering }
    if hasPage {
      let end = Clock.system.uptime() + server.limits.closesMilliseconds
      server.order { if $0.endsWithPage { $0.answersUntil = end } }
    }
    let end = Clock.system.uptime() + server.limits.lingerMilliseconds
    while receive(until: end)?.isEmpty == false {}
  }

  /// Begins the response. Returns false if the connection is dropped.
  private func begin(_ server: LoopbackListener.Server) -> Bool {
    state.withLock { state in
      guard !state.isDropped else { return false }
      if state.phase == .reading { server.responding.enter() }
      state.phase = .responding
      return true
    }
  }

  // MARK: Reading

  /// Returns the whole request; nil if the browser closes or sends nothing.
  private func request(_ server: LoopbackListener.Server) throws(LoopbackRequest.Rejection) -> LoopbackRequest.Redirect? {
    var reader = LoopbackRequest.Reader()
    let end = Clock.system.uptime() + server.limits.requestMilliseconds
    while let bytes = receive(until: end) {
      guard !bytes.isEmpty else { return nil }
      if let request = try reader.take(bytes, server.target, server.limits) { return request }
    }
    if reader.isEmpty { return nil }
    throw LoopbackRequest.Rejection(status: 408, reason: "too slow")
  }

  /// Returns the next bytes; no bytes at the connection's end, and nil when the time is up.
  private func receive(until end: Int) -> [UInt8]? {
    while case let now = Clock.system.uptime(), now < end {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, Int32(clamping: end - now)) > 0 else { continue }
      return [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
      }
    }
    return nil
  }

  // MARK: Answering

  /// Runs the handler. Returns nil if the connection is dropped meanwhile.
  private func answer(_ request: LoopbackRequest.Redirect, _ server: LoopbackListener.Server) throws(LoopbackRequest.Rejection)
    -> LoopbackRequest.Redirect.Answer?
  {
    // Weak, because a handler may ignore its cancellation, and the connection must close nevertheless.
    let task = Task { [weak self, handler = server.handler] in
      let answer = await handler(request)
      self?.state.withLock { $0.answer = answer }
      self?.isAnswered.signal()
    }
    let isDropped = state.withLock { state in
      state.handler = task
      return state.isDropped
    }
    let hasEnded = !isDropped && isAnswered.wait(timeout: .now() + .milliseconds(server.limits.handlerMilliseconds)) == .success
    guard let answer = state.withLock({ $0.isDropped ? nil : $0.answer }), hasEnded else {
      task.cancel()
      if state.withLock({ $0.isDropped }) { return nil }
      throw LoopbackRequest.Rejection(status: 504, reason: "the sign-in took too long")
    }
    return answer
  }
}

extension LoopbackConnection {
  private static func response(_ answer: LoopbackRequest.Redirect.Answer, acceptLanguage: String?) -> [UInt8] {
    let page: ResultPage
    switch answer {
    case .notOurs: page = ResultPage(.unclaimed)
    case .page(let result): page = result
    case .elsewhere(let url): return response(302, "text/plain", Array("the page is elsewhere\n".utf8), location: url)
    case .relayed(let page):
      let language = page.header("Content-Language") ?? "en"
      return response(page.status, "text/html", page.body, language: language, style: " style-src '\(ResultPage.styleHash)';")
    case .forwarded(let url): return response(307, "text/plain", Array("the sign-in is elsewhere\n".utf8), location: url)
    }
    let (html, language) = page.render(acceptLanguage: acceptLanguage)
    return response(page.status, "text/html", html, language: language, style: " style-src '\(ResultPage.styleHash)';")
  }

  /// Returns the bytes of a response, after which the connection is closed. A status needs no text (RFC 9112, 4).
  /// The response allows no storing, embedding, scripts or loading. No server gets the page's address as referrer (RFC 9700, 4.2.4).
  private static func response(
    _ status: Int, _ type: String, _ body: [UInt8], language: String = "en", style: String = "", location: String? = nil
  ) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \r\n"
    head += "Content-Type: \(type); charset=utf-8\r\nContent-Length: \(body.count)\r\nContent-Language: \(language)\r\n"
    head += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
    head += "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
    head += "Content-Security-Policy: default-src 'none';\(style) base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    if let location { head += "Location: \(location)\r\n" }
    if status == 405 { head += "Allow: GET, POST\r\n" }
    head += "Connection: close\r\n\r\n"
    return Array(head.utf8) + body
  }
}
