#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One accepted connection: receives a request, sends the response and closes. Used only on the listener's thread.
final class LoopbackConnection {
  enum Phase {
    case reading
    /// The handler is running. Nothing is read or written, so a browser that disconnects doesn't end the exchange.
    case handling(Task<Void, Never>)
    case writing([UInt8], sent: Int)
    /// The response is written. Further input is discarded until the browser closes.
    case lingering
    case over
  }

  let id: UInt64
  let descriptor: Int32
  private(set) var phase = Phase.reading
  /// When the present phase must end, in milliseconds of the monotonic clock.
  private(set) var deadline: UInt64
  /// When the browser last sent something.
  private(set) var lastHeard: UInt64
  private let target: RedirectTarget
  private let limits: LoopbackLimits
  /// Whether the response being written is the page of an ended sign-in.
  private var hasPage = false
  private var received: [UInt8] = []
  /// How far `received` has been searched for the end of the head. Each byte is searched once, however small the pieces.
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

  /// The poll events to wait for. nil while the handler runs, because poll would report a reset connection in an endless loop.
  var interest: Int16? {
    switch phase {
    case .reading, .lingering: Int16(POLLIN)
    case .writing: Int16(POLLOUT)
    case .handling, .over: nil
    }
  }

  /// Whether the connection may be dropped for a new one. The sign-in waits for nothing on it.
  var isIdle: Bool {
    switch phase {
    case .reading, .lingering, .over: true
    case .handling, .writing: false
    }
  }

  var isReading: Bool { if case .reading = phase { true } else { false } }
  var isHandling: Bool { if case .handling = phase { true } else { false } }
  /// Whether a response is in progress.
  var isServed: Bool { !isReading && !isOver }
  /// Whether the whole page has been written.
  var hasDeliveredPage: Bool { if case .lingering = phase { hasPage } else { false } }
  var isOver: Bool { if case .over = phase { true } else { false } }

  /// Reads or writes, as the socket allows. Returns a complete request, for which the caller starts the handler.
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

  /// Ends the phase if its deadline has passed.
  func expire(now: UInt64) {
    guard now >= deadline else { return }
    switch phase {
    case .reading where !received.isEmpty: answer(LoopbackResponse(LoopbackRejection(status: 408, reason: "too slow")).bytes, now: now)
    case .handling(let task):
      task.cancel()
      answer(LoopbackResponse(LoopbackRejection(status: 504, reason: "the sign-in took too long")).bytes, now: now)
    case .reading, .writing, .lingering, .over: phase = .over
    }
  }

  /// Reads what is available, up to a limit, so that one visitor cannot delay the others. Returns false if there was nothing, or at the end.
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

  private func wholeRequest() throws(LoopbackRejection) -> RedirectRequest? {
    if request == nil {
      guard let end = try headEnd() else { return nil }
      bodyStart = end + 4
      request = try LoopbackRequest(head: Array(received[..<end]), for: target, limits: limits)
    }
    guard let request, received.count - bodyStart >= request.bodyBytes ?? 0 else { return nil }
    return try request.redirect(body: received[bodyStart..<(bodyStart + (request.bodyBytes ?? 0))])
  }

  /// Returns where the empty line begins. Rejects bytes that no head contains (such as a TLS handshake) at once.
  private func headEnd() throws(LoopbackRejection) -> Int? {
    while scanned < received.count {
      let byte = received[scanned]
      if byte == 10, scanned >= 3, received[scanned - 1] == 13, received[scanned - 2] == 10, received[scanned - 3] == 13 {
        guard scanned < limits.headBytes else { break }
        return scanned - 3
      }
      guard byte >= 0x20 || byte == 9 || byte == 10 || byte == 13 else { throw .badRequest("this is not HTTP") }
      scanned += 1
    }
    guard scanned < limits.headBytes else { throw LoopbackRejection(status: 431, reason: "the request head is too large") }
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
