import Dispatch
import OAuthCore
import Platform
import Synchronization

/// Receives the redirect of one sign-in on this machine (RFC 8252 section 7.3), on separate threads, until it is closed.
///
/// The browser gets its page only after `handler` has returned. The code is exchanged first, so the page shows the real outcome.
final class LoopbackListener: Sendable {
  /// Limits for a visitor of the loopback address. Tests pass smaller ones. All times are milliseconds.
  struct Limits: Sendable {
    /// Bytes of request line and header fields. Providers send codes of 2 to 4 KiB, and most servers allow 16 KiB.
    var headBytes = 16 * 1024
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
    var afterlifeMilliseconds = 60_000
    /// Concurrent connections, each with its thread. Browsers open two to six.
    var connections = 16

    init() {}
  }

  /// Why no listener could be opened.
  enum Failure: Error, Equatable {
    /// Another program or another sign-in of this process uses every candidate.
    case portInUse([UInt16])
    case unavailable(reason: String)
  }

  /// The bound port, which is the redirect URI's.
  var port: UInt16 { server.target.port }
  private let server: LoopbackListener.Server
  /// Whether the provider or the user fixed the port. The next sign-in then needs the same one.
  private let isPinned: Bool

  private init(_ server: LoopbackListener.Server, isPinned: Bool) { (self.server, self.isPinned) = (server, isPinned) }

  deinit { server.close() }

  /// Opens the listener and returns once it is listening. `handler` is called for each well-formed redirect, concurrently if necessary.
  /// A handler continues after `close` and after the browser has disconnected. `finish` and its time limit cancel it.
  ///
  /// The browser is redirected from `startPath`. Connections of other users, as `ownerOf` reports them, are rejected.
  static func open(
    _ address: LoopbackAddress, startPath: String = "", limits: Limits = Limits(),
    ownerOf: @escaping @Sendable (Int32) -> ConnectionOwner? = ConnectionOwner.ofPeer,
    log: @escaping @Sendable (LogMessage) -> Void = { _ in },
    handler: @escaping @Sendable (LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer
  ) throws(Failure) -> LoopbackListener {
    guard address.isPathUsable else {
      throw .unavailable(reason: "the redirect path must begin with / and contain only plain url characters")
    }
    let sockets = try bind(address)
    let target = LoopbackRequest.Target(address, port: sockets[0].port, startPath: startPath)
    let server = try LoopbackListener.Server(sockets, target, limits, ownerOf: ownerOf, log: log, handler: handler)
    return LoopbackListener(server, isPinned: address.ports != [0])
  }

  /// The redirect URI that is sent to the provider.
  var redirectUri: String { server.target.redirectUri }

  /// The URL that the browser opens instead of the authorization URL; nil without a start path.
  var startAddress: String? { server.target.startPath.isEmpty ? nil : server.target.origin + server.target.startPath }

  /// Keeps responding for a minute, so that a reloaded page or a late redirect gets a true response. A pinned port is freed once a page was
  /// delivered.
  func linger() { server.linger(endsWithPage: isPinned) }

  /// Waits for the responses in progress, at most two seconds.
  func settle() async { await server.settle() }

  /// Waits until the listener is closed and every response has ended.
  func end() async { await server.end() }

  /// Closes the port before it returns, so that the next sign-in can bind it. Redirects in progress still get their page.
  /// May be called repeatedly, and within the handler.
  func close() { server.close() }

  /// Closes the listener and waits for the responses in progress, at most two seconds. Then drops the rest and cancels their handlers.
  /// Must not be awaited within the handler, because it waits for the handler.
  func finish() async {
    server.close()
    await server.settle()
    server.dropAll()
    await server.end()
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
        do throws(LoopbackSocket.Fault) {
          return try bind(address.host, port)
        } catch {
          if error.isPortInUse { continue }
          let what = port == 0 ? "no port could be opened" : "the port \(port) could not be opened"
          otherReason = otherReason ?? .unavailable(reason: "\(what): \(error.reason)")
        }
      }
    }
    throw otherReason ?? .portInUse(address.ports)
  }

  private static func bind(_ host: LoopbackAddress.Host, _ port: UInt16) throws(LoopbackSocket.Fault) -> [LoopbackSocket] {
    let first = try LoopbackSocket(isIPv6: host == .ipv6, port: port)
    guard host == .localhost else { return [first] }
    do throws(LoopbackSocket.Fault) {
      return [first, try LoopbackSocket(isIPv6: true, port: first.port)]
    } catch {
      guard error.isPortInUse else { return [first] }
      first.close()
      throw error
    }
  }
}

extension LoopbackListener {
  /// The threads of a `LoopbackListener`: one accepts connections, and each connection has one of its own.
  ///
  /// A slow visitor therefore delays no other. When there are too many, the one that was silent longest makes room.
  final class Server: Sendable {
    private struct State {
      var connections: [LoopbackConnection] = []
      var isClosing = false
      /// When the listener closes by itself, in milliseconds of the monotonic clock.
      var lingersUntil: UInt64?
      /// Whether it then closes as soon as a page was delivered.
      var endsWithPage = false
      var hasDeliveredPage = false

      var isOver: Bool { isClosing || lingersUntil.map { loopbackNow() >= $0 || (endsWithPage && hasDeliveredPage) } ?? false }
    }

    /// Bytes. A thread parses requests and calls the log.
    private static let stackSize = 512 << 10
    /// Milliseconds until connections are accepted again after the process ran out of descriptors. Too short for a user to notice.
    private static let acceptPause: UInt64 = 100

    let target: LoopbackRequest.Target
    let limits: LoopbackListener.Limits
    let ownerOf: @Sendable (Int32) -> ConnectionOwner?
    let log: @Sendable (LogMessage) -> Void
    let handler: @Sendable (LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer
    private let sockets: [LoopbackSocket]
    /// A byte in it wakes the accepting thread.
    private let wakeUp: Pipe
    private let state = Mutex(State())
    /// Entered until the port is free, until all threads have ended, and while a response is in progress.
    private let (listening, running, responding) = (DispatchGroup(), DispatchGroup(), DispatchGroup())

    /// Starts the accepting thread, which ends after `close`. Closes the sockets if that fails.
    init(
      _ sockets: [LoopbackSocket], _ target: LoopbackRequest.Target, _ limits: LoopbackListener.Limits,
      ownerOf: @escaping @Sendable (Int32) -> ConnectionOwner?, log: @escaping @Sendable (LogMessage) -> Void,
      handler: @escaping @Sendable (LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer
    ) throws(LoopbackListener.Failure) {
      guard let wakeUp = Pipe() else {
        let reason = Descriptors.reason(errno)
        for socket in sockets { socket.close() }
        throw .unavailable(reason: "a pipe could not be made: \(reason)")
      }
      (self.sockets, self.target, self.limits, self.wakeUp) = (sockets, target, limits, wakeUp)
      (self.ownerOf, self.log, self.handler) = (ownerOf, log, handler)
      for socket in sockets { socket.stopWaiting() }
      listening.enter()
      let code = start { self.acceptConnections() }
      guard code != 0 else { return }
      stopListening()
      throw .unavailable(reason: "a thread could not be started: \(Descriptors.reason(code))")
    }

    deinit {
      systemClose(wakeUp.reading)
      systemClose(wakeUp.writing)
    }

    // MARK: Orders

    /// Closes the port. The accepting thread blocks only in `poll`, so this takes no time.
    func close() {
      state.withLock { $0.isClosing = true }
      wake()
      listening.wait()
    }

    func linger(endsWithPage: Bool) {
      let end = loopbackNow() + UInt64(limits.afterlifeMilliseconds)
      state.withLock { ($0.lingersUntil, $0.endsWithPage) = (end, endsWithPage) }
      wake()
    }

    func settle() async { await Self.end(of: responding, within: limits.finishMilliseconds) }

    func end() async { await Self.end(of: running) }

    /// Ends all connections and cancels their handlers.
    func dropAll() { for connection in state.withLock({ $0.connections }) { connection.drop() } }

    private static func end(of group: DispatchGroup, within milliseconds: Int? = nil) async {
      let end = Promise<Void>()
      group.notify(queue: .global()) { end.settle(.success(())) }
      if let milliseconds {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { end.settle(.success(())) }
      }
      _ = try? await end.value()
    }

    private func wake() {
      var byte: UInt8 = 1
      _ = write(wakeUp.writing, &byte, 1)
    }

    // MARK: Reports of the connections

    /// A response is in progress until `hasResponded`.
    func responds() { responding.enter() }
    func hasResponded() { responding.leave() }

    func hasDeliveredPage() {
      let endsNow = state.withLock { state in
        state.hasDeliveredPage = true
        return state.isOver
      }
      if endsNow { wake() }
    }

    // MARK: Accepting

    private func start(_ work: @escaping @Sendable () -> Void) -> Int32 {
      running.enter()
      let code = Thread.start(stackSize: Self.stackSize) { [running] in
        work()
        running.leave()
      }
      if code != 0 { running.leave() }
      return code
    }

    private func acceptConnections() {
      var acceptsFrom: UInt64 = 0
      while true {
        let (isOver, lingersUntil) = state.withLock { ($0.isOver, $0.lingersUntil) }
        if isOver { return stopListening() }
        let now = loopbackNow()
        let accepting = now >= acceptsFrom ? sockets : []
        var polled = ([wakeUp.reading] + accepting.map(\.descriptor)).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let next = [lingersUntil, acceptsFrom].compactMap(\.self).filter { $0 > now }.min()
        guard poll(&polled, nfds_t(polled.count), next.map { Int32(clamping: $0 - now) } ?? -1) > 0 else { continue }
        var byte: UInt8 = 0
        if polled[0].revents != 0 { _ = read(wakeUp.reading, &byte, 1) }
        for (socket, entry) in zip(accepting, polled.dropFirst()) where entry.revents != 0 && !accept(socket) {
          acceptsFrom = loopbackNow() + Self.acceptPause
        }
      }
    }

    private func stopListening() {
      for socket in sockets { socket.close() }
      for connection in state.withLock({ $0.connections }) { connection.drop { $0 == .reading } }
      listening.leave()
    }

    /// Accepts one connection. Returns false if the process has no descriptor or memory for it.
    private func accept(_ socket: LoopbackSocket) -> Bool {
      do throws(LoopbackSocket.Fault) {
        let connection = LoopbackConnection(try socket.accept(), at: loopbackNow())
        guard state.withLock({ $0.connections.count }) < limits.connections || dropOldestIdle() else { return true }
        state.withLock { $0.connections.append(connection) }
        let code = start { [self] in
          connection.serve(self)
          remove(connection)
        }
        if code != 0 { remove(connection) }
      } catch {
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.code) else { return true }
        dropOldestIdle()
        return false
      }
      return true
    }

    private func remove(_ connection: LoopbackConnection) { state.withLock { $0.connections.removeAll { $0 === connection } } }

    /// Drops the idle connection that was silent longest. Returns false if every connection waits for the handler or sends its response.
    @discardableResult private func dropOldestIdle() -> Bool {
      for connection in state.withLock({ $0.connections }).sorted(by: { $0.lastHeard < $1.lastHeard })
      where connection.drop(if: { $0 != .responding }) {
        remove(connection)
        return true
      }
      return false
    }
  }
}

/// Returns the milliseconds of the monotonic clock, which setting the time of day doesn't change.
func loopbackNow() -> UInt64 { UInt64(Clock.system.uptime()) }

/// Calls `close(2)`. `LoopbackListener.Server.close` would hide that name.
private func systemClose(_ descriptor: Int32) { close(descriptor) }
