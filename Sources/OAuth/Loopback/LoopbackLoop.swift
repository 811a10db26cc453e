#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// All that the thread of a listener is given.
final class LoopbackThread: Sendable {
  let sockets: LoopbackSockets
  let target: RedirectTarget
  let limits: LoopbackLimits
  let mailbox: LoopbackMailbox
  let ownerOf: @Sendable (Int32) -> ConnectionOwner?
  let remark: @Sendable (Remark) -> Void
  let handler: @Sendable (RedirectRequest) async -> RedirectAnswer

  init(
    _ sockets: LoopbackSockets, _ target: RedirectTarget, _ limits: LoopbackLimits, _ mailbox: LoopbackMailbox,
    _ ownerOf: @escaping @Sendable (Int32) -> ConnectionOwner?, _ remark: @escaping @Sendable (Remark) -> Void,
    _ handler: @escaping @Sendable (RedirectRequest) async -> RedirectAnswer
  ) {
    (self.sockets, self.target, self.limits, self.mailbox) = (sockets, target, limits, mailbox)
    (self.ownerOf, self.remark, self.handler) = (ownerOf, remark, handler)
  }

  /// Starts a detached thread; it ends by itself after `LoopbackMailbox.close`. The result is pthread_create's.
  func start() -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let argument = Unmanaged.passRetained(self)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let result = pthread_create(&thread, &attributes, loopbackThreadMain, argument.toOpaque())
    if result != 0 { argument.release() }
    return result
  }
}

#if canImport(Glibc)
  private func loopbackThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    runLoopbackThread(argument)
    return nil
  }
#else
  private func loopbackThreadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    runLoopbackThread(argument)
    return nil
  }
#endif

private func runLoopbackThread(_ argument: UnsafeMutableRawPointer?) {
  guard let argument else { return }
  // Signals are the main thread's affair.
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_BLOCK, &all, nil)
  var loop = LoopbackLoop(Unmanaged<LoopbackThread>.fromOpaque(argument).takeRetainedValue())
  loop.run()
}

/// Milliseconds of the monotonic clock, which no change of the time of day touches.
func loopbackNow() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
}

/// The poll(2) loop: one thread serves all connections of a listener, so one that sends nothing holds up no other.
struct LoopbackLoop {
  private let thread: LoopbackThread
  private var listening: [Int32]
  private var connections: [LoopbackConnection] = []
  private var lastID: UInt64 = 0
  /// Until when no connection is accepted, because the process had no descriptor left for one.
  private var acceptsFrom: UInt64 = 0
  private var hasDeliveredPage = false
  /// Milliseconds; long enough not to spin, short enough not to be seen by a person.
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

  /// Waits for something to do, until the next of the orders' times at the latest.
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
      // As many as are waiting, but not for ever: those that are here want to be served too.
      for _ in 0..<thread.limits.connections where !accept(socket, woken) { break }
    }
  }

  private func handle(_ request: RedirectRequest, _ connection: LoopbackConnection, _ now: UInt64) {
    if let owner = thread.ownerOf(connection.descriptor), !admits(owner) {
      return connection.answer(LoopbackResponse(LoopbackRefusal(status: 403, reason: "this address is another user's")).bytes, now: now)
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
    case .unknown: thread.remark(.visitorUnknown)
    case .user(let id) where !owner.isServed: thread.remark(.visitorRefused(user: Int(id)))
    case .user, .gone: break
    }
    return owner.isServed
  }

  /// False when none is waiting any more.
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

  /// False when all are waiting for the sign-in or for their answer's last bytes.
  @discardableResult
  private mutating func dropOldestIdle() -> Bool {
    let idle = connections.indices.filter { connections[$0].isIdle }
    guard let oldest = idle.min(by: { connections[$0].lastHeard < connections[$1].lastHeard }) else { return false }
    connections.remove(at: oldest)
    return true
  }
}
