import OAuthCore
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Everything that a listener's thread needs.
final class LoopbackThread: Sendable {
  let sockets: LoopbackSockets
  let target: RedirectTarget
  let limits: LoopbackLimits
  let mailbox: LoopbackMailbox
  let ownerOf: @Sendable (Int32) -> ConnectionOwner?
  package let log: @Sendable (LogMessage) -> Void
  let handler: @Sendable (RedirectRequest) async -> RedirectAnswer

  init(
    _ sockets: LoopbackSockets, _ target: RedirectTarget, _ limits: LoopbackLimits, _ mailbox: LoopbackMailbox,
    _ ownerOf: @escaping @Sendable (Int32) -> ConnectionOwner?, _ log: @escaping @Sendable (LogMessage) -> Void,
    _ handler: @escaping @Sendable (RedirectRequest) async -> RedirectAnswer
  ) {
    (self.sockets, self.target, self.limits, self.mailbox) = (sockets, target, limits, mailbox)
    (self.ownerOf, self.log, self.handler) = (ownerOf, log, handler)
  }

  /// Starts the thread, which ends after `LoopbackMailbox.close`. Returns 0 or the error number.
  func start() -> Int32 {
    // 1 MiB, because the thread parses requests and calls the log.
    Thread.start(stackSize: 1 << 20) {
      var loop = LoopbackLoop(self)
      loop.run()
    }
  }
}

/// Returns the milliseconds of the monotonic clock, which setting the time of day doesn't change.
func loopbackNow() -> UInt64 { UInt64(Clock.system.uptime()) }

/// The poll(2) loop. One thread serves all connections of a listener, so an idle connection delays no other.
struct LoopbackLoop {
  private let thread: LoopbackThread
  private var listening: [Int32]
  private var connections: [LoopbackConnection] = []
  private var lastID: UInt64 = 0
  /// When connections are accepted again after the process ran out of descriptors.
  private var acceptsFrom: UInt64 = 0
  private var hasDeliveredPage = false
  /// Milliseconds: long enough to avoid spinning, too short for a user to notice.
  private static let acceptPause: UInt64 = 100

  init(_ thread: LoopbackThread) {
    self.thread = thread
    listening = thread.sockets.descriptors
  }

  mutating func run() {
    while true {
      let orders = thread.mailbox.take()
      let now = loopbackNow()
      for answer in orders.answers {
        connections.first { $0.id == answer.connection && $0.isHandling }?.answer(answer.bytes, hasPage: answer.hasPage, now: now)
      }
      if connections.contains(where: \.hasDeliveredPage) { hasDeliveredPage = true }
      let hasLingered = orders.lingersUntil.map { now >= $0 || (orders.endsWithPage && hasDeliveredPage) } ?? false
      if orders.isClosing || hasLingered { stopListening() }
      for connection in connections { connection.expire(now: now) }
      connections.removeAll { $0.isOver }
      if listening.isEmpty, connections.isEmpty || now >= orders.dropsAt ?? .max { break }
      if orders.settlesAt.map({ now >= $0 || !connections.contains(where: \.isServed) }) == true { thread.mailbox.hasSettled() }
      wait(now, [orders.dropsAt, orders.lingersUntil, orders.settlesAt].compactMap(\.self).filter { $0 > now }.min())
    }
    connections = []
    thread.mailbox.hasEnded()
  }

  private mutating func stopListening() {
    guard !listening.isEmpty else { return }
    listening.forEach { _ = close($0) }
    listening = []
    connections.removeAll { $0.isReading }
    thread.mailbox.socketsAreClosed()
  }

  /// Waits for an event, at most until `ordered`, the next time in the orders.
  private mutating func wait(_ now: UInt64, _ ordered: UInt64?) {
    let accepting = now >= acceptsFrom ? listening : []
    var polled = [pollfd(fd: thread.mailbox.wakeUp, events: Int16(POLLIN), revents: 0)]
    polled += accepting.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let waiting = connections.filter { $0.interest != nil }
    polled += waiting.map { pollfd(fd: $0.descriptor, events: $0.interest ?? 0, revents: 0) }
    var until = connections.map(\.deadline).min()
    if let ordered { until = min(until ?? ordered, ordered) }
    if acceptsFrom > now { until = min(until ?? acceptsFrom, acceptsFrom) }
    let timeout = until.map { Int32(clamping: $0 > now ? $0 - now : 0) } ?? -1
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 else { return }
    let woken = loopbackNow()
    for (connection, entry) in zip(waiting, polled.dropFirst(1 + accepting.count)) where entry.revents != 0 {
      if let request = connection.proceed(now: woken) { handle(request, connection, woken) }
    }
    connections.removeAll { $0.isOver }
    for (socket, entry) in zip(accepting, polled.dropFirst()) where entry.revents != 0 {
      // Accepts the waiting connections up to a limit, because the open ones need service too.
      for _ in 0..<thread.limits.connections where !accept(socket, woken) { break }
    }
  }

  private func handle(_ request: RedirectRequest, _ connection: LoopbackConnection, _ now: UInt64) {
    if let owner = thread.ownerOf(connection.descriptor), !admits(owner) {
      return connection.answer(LoopbackResponse(LoopbackRejection(status: 403, reason: "this address is another user's")).bytes, now: now)
    }
    let (handler, mailbox, id) = (thread.handler, thread.mailbox, connection.id)
    let task = Task {
      let answer = await handler(request)
      let bytes = LoopbackResponse(answer, acceptLanguage: request.acceptLanguage).bytes
      mailbox.post(.init(connection: id, bytes: bytes, hasPage: answer.isPage))
    }
    connection.handled(by: task, now: now)
  }

  private func admits(_ owner: ConnectionOwner) -> Bool {
    switch owner {
    case .unknown: thread.log(.visitorUnknown)
    case .user(let id) where !owner.isServed: thread.log(.visitorRefused(user: Int(id)))
    case .user, .gone: break
    }
    return owner.isServed
  }

  /// Accepts one connection. Returns false if none is waiting.
  private mutating func accept(_ socket: Int32, _ now: UInt64) -> Bool {
    #if canImport(Glibc)
      let descriptor = Glibc.accept(socket, nil, nil)
    #else
      let descriptor = Darwin.accept(socket, nil, nil)
    #endif
    guard descriptor >= 0 else {
      let code = errno
      if code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM {
        dropOldestIdle()
        acceptsFrom = now + Self.acceptPause
      }
      return code == ECONNABORTED || code == EINTR
    }
    LoopbackSockets.prepare(descriptor)
    if connections.count >= thread.limits.connections, !dropOldestIdle() {
      close(descriptor)
      return true
    }
    lastID += 1
    connections.append(
      LoopbackConnection(lastID, descriptor: descriptor, target: thread.target, limits: thread.limits, now: now)
    )
    return true
  }

  /// Drops the idle connection that was silent longest. Returns false if every connection is waiting for the handler or sending its response.
  @discardableResult
  private mutating func dropOldestIdle() -> Bool {
    let idle = connections.indices.filter { connections[$0].isIdle }
    guard let oldest = idle.min(by: { connections[$0].lastHeard < connections[$1].lastHeard }) else { return false }
    connections.remove(at: oldest)
    return true
  }
}
