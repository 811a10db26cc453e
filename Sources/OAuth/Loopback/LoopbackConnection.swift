#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One accepted connection: a request is read, answered, and the connection closed. Belongs to the listener's thread.
final class LoopbackConnection {
  enum Phase {
    case reading
    /// The sign-in is at work; nothing is read or written, so a browser that gives up doesn't end the exchange.
    case handling(Task<Void, Never>)
    case writing([UInt8], sent: Int)
    /// All is written; what the browser still sends is thrown away until it closes.
    case lingering
    case over
  }

  let id: UInt64
  let descriptor: Int32
  private(set) var phase = Phase.reading
  /// When the present phase has to be over, in milliseconds of the monotonic clock.
  private(set) var deadline: UInt64
  /// When the browser was last heard of.
  private(set) var lastHeard: UInt64
  private let target: RedirectTarget
  private let limits: LoopbackLimits
  /// Whether what is being written is the page of a sign-in that has ended.
  private var hasPage = false
  private var received: [UInt8] = []
  /// How far `received` has been searched for the end of the head, so that a head in small pieces costs no more than in one.
  private var scanned = 0
  private var request: LoopbackRequest?
  private var bodyStart = 0

  init(_ id: UInt64, descriptor: Int32, target: RedirectTarget, limits: LoopbackLimits, now: UInt64) {
    self.id = id
    self.descriptor = descriptor
    self.target = target
    self.limits = limits
    deadline = now + limits.requestMilliseconds
    lastHeard = now
  }

  deinit {
    if case .handling(let task) = phase { task.cancel() }
    close(descriptor)
  }

  /// What to wait for; nil while the sign-in is at work, where a reset connection would otherwise be reported without end.
  var interest: Int16? {
    switch phase {
    case .reading, .lingering: Int16(POLLIN)
    case .writing: Int16(POLLOUT)
    case .handling, .over: nil
    }
  }

  /// Whether it may be dropped for a newcomer: nothing that the sign-in waits for is lost with it.
  var isIdle: Bool {
    switch phase {
    case .reading, .lingering, .over: true
    case .handling, .writing: false
    }
  }

  var isReading: Bool { if case .reading = phase { true } else { false } }
  var isHandling: Bool { if case .handling = phase { true } else { false } }
  /// Whether something is still to reach the browser.
  var isServed: Bool { !isReading && !isOver }
  /// Whether the page has been written to its end.
  var hasDeliveredPage: Bool { if case .lingering = phase { hasPage } else { false } }
  var isOver: Bool { if case .over = phase { true } else { false } }

  /// Does what the socket is ready for; a request that has become whole is returned and the caller starts the handler.
  func proceed(now: UInt64) -> RedirectRequest? {
    switch phase {
    case .reading:
      guard read(now) else { return nil }
      do {
        return try wholeRequest()
      } catch {
        answer(LoopbackResponse(error).bytes, now: now)
        return nil
      }
    case .writing: write(now)
    case .lingering:
      received.removeAll(keepingCapacity: true)
      _ = read(now)
    case .handling, .over: break
    }
    return nil
  }

  func handled(by task: Task<Void, Never>, now: UInt64) {
    phase = .handling(task)
    deadline = now + limits.handlerMilliseconds
  }

  func answer(_ bytes: [UInt8], hasPage: Bool = false, now: UInt64) {
    self.hasPage = hasPage
    phase = .writing(bytes, sent: 0)
    deadline = now + limits.writeMilliseconds
    write(now)
  }

  /// Ends the phase whose time has run out.
  func expire(now: UInt64) {
    guard now >= deadline else { return }
    switch phase {
    case .reading where !received.isEmpty: answer(LoopbackResponse(LoopbackRefusal(status: 408, reason: "too slow")).bytes, now: now)
    case .handling(let task):
      task.cancel()
      answer(LoopbackResponse(LoopbackRefusal(status: 504, reason: "the sign-in took too long")).bytes, now: now)
    case .reading, .writing, .lingering, .over: phase = .over
    }
  }

  /// Reads what is there, up to a bound that keeps one visitor from holding the others up; false when nothing came or the end.
  private func read(_ now: UInt64) -> Bool {
    let count = withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { received.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count
    }
    if count > 0 {
      lastHeard = now
      return true
    }
    if count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) { phase = .over }
    return false
  }

  private func wholeRequest() throws(LoopbackRefusal) -> RedirectRequest? {
    if request == nil {
      guard let end = try headEnd() else { return nil }
      bodyStart = end + 4
      request = try LoopbackRequest(head: Array(received[..<end]), for: target, limits: limits)
    }
    guard let request, received.count - bodyStart >= request.bodyBytes ?? 0 else { return nil }
    return try request.redirect(body: received[bodyStart..<(bodyStart + (request.bodyBytes ?? 0))])
  }

  /// Where the empty line begins. Bytes that no head has (a TLS greeting, say) are refused at once instead of waited upon.
  private func headEnd() throws(LoopbackRefusal) -> Int? {
    while scanned < received.count {
      let byte = received[scanned]
      if byte == 10, scanned >= 3, received[scanned - 1] == 13, received[scanned - 2] == 10, received[scanned - 3] == 13 {
        guard scanned < limits.headBytes else { break }
        return scanned - 3
      }
      guard byte >= 0x20 || byte == 9 || byte == 10 || byte == 13 else { throw .badRequest("this is not HTTP") }
      scanned += 1
    }
    guard scanned < limits.headBytes else { throw LoopbackRefusal(status: 431, reason: "the request head is too large") }
    return nil
  }

  private func write(_ now: UInt64) {
    guard case .writing(let bytes, var sent) = phase else { return }
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, flags) }
      if count > 0 {
        sent += count
      } else if errno != EINTR {
        phase = errno == EAGAIN || errno == EWOULDBLOCK ? .writing(bytes, sent: sent) : .over
        return
      }
    }
    shutdown(descriptor, Int32(SHUT_WR))
    phase = .lingering
    deadline = now + limits.lingerMilliseconds
  }
}
