import Dispatch
import OAuthCore
import Platform
import Store
import Synchronization

extension LoopbackListener {
  /// The threads of a `LoopbackListener`: one accepts connections, and each connection has one of its own.
  ///
  /// A slow connection therefore delays no other. When there are too many, the oldest one without a request to be answered makes room.
  final class Server: Sendable {
    struct State {
      var connections: [LoopbackConnection] = []
      var isClosing = false
      /// When the listener closes by itself, in milliseconds of the monotonic clock.
      var answersUntil: Int?
      /// Whether it then closes soon after a page was delivered.
      var endsWithPage = false
      /// Released when the port is closed.
      var locks: [GrantLock] = []

      var isOver: Bool { isClosing || answersUntil.map { Clock.system.uptime() >= $0 } ?? false }
    }

    /// Bytes. A thread parses requests and calls the log.
    private static let stackSize = 512 << 10
    /// Milliseconds until connections are accepted again after the process ran out of descriptors. Too short for a user to notice.
    private static let acceptPause = 100

    let target: LoopbackRequest.Target
    let limits: LoopbackListener.Limits
    let ownerOf: @Sendable (Int32) -> ConnectionOwner?
    let log: (any LogSink)?
    let handler: @Sendable (LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer
    private let sockets: [LoopbackSocket]
    /// A byte in it wakes the accepting thread.
    private let wakeUp: Pipe
    let state = Mutex(State())
    /// Entered until the port is free, until all threads have ended, and while a response is in progress.
    let (listening, running, responding) = (DispatchGroup(), DispatchGroup(), DispatchGroup())

    /// Starts the accepting thread, which ends after `close`. Closes the sockets if that fails.
    init(
      _ sockets: [LoopbackSocket], _ target: LoopbackRequest.Target, _ limits: LoopbackListener.Limits,
      ownerOf: @escaping @Sendable (Int32) -> ConnectionOwner?, log: (any LogSink)?,
      handler: @escaping @Sendable (LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer
    ) throws(LoopbackListener.Failure) {
      guard let wakeUp = Pipe() else {
        let reason = Descriptors.reason(errno)
        for socket in sockets { socket.end() }
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

    /// Changes when the port is to be closed.
    func order(_ change: (inout State) -> Void) {
      state.withLock { change(&$0) }
      var byte: UInt8 = 1
      _ = write(wakeUp.writing, &byte, 1)
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
      var acceptsFrom = 0
      while true {
        let (isOver, answersUntil) = state.withLock { ($0.isOver, $0.answersUntil) }
        if isOver { return stopListening() }
        let now = Clock.system.uptime()
        let accepting = now >= acceptsFrom ? sockets : []
        var polled = ([wakeUp.reading] + accepting.map(\.descriptor)).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let next = [answersUntil, acceptsFrom].compactMap(\.self).filter { $0 > now }.min()
        guard poll(&polled, nfds_t(polled.count), next.map { Int32(clamping: $0 - now) } ?? -1) > 0 else { continue }
        var byte: UInt8 = 0
        if polled[0].revents != 0 { _ = read(wakeUp.reading, &byte, 1) }
        for (socket, entry) in zip(accepting, polled.dropFirst()) where entry.revents != 0 && !accept(socket) {
          acceptsFrom = Clock.system.uptime() + Self.acceptPause
        }
      }
    }

    private func stopListening() {
      for socket in sockets { socket.end() }
      let connections = state.withLock { state in
        (state.isClosing, state.locks) = (true, [])
        return state.connections
      }
      for connection in connections { connection.drop(in: [.reading]) }
      listening.leave()
    }

    /// Accepts one connection, and closes that of another user. Returns false if the process has no descriptor or memory for it.
    private func accept(_ socket: LoopbackSocket) -> Bool {
      do throws(Descriptors.Fault) {
        let connection = LoopbackConnection(try socket.accept())
        guard connection.isServed(by: self), makeRoom() else { return true }
        state.withLock { $0.connections.append(connection) }
        let code = start { [self] in
          connection.serve(self)
          remove(connection)
        }
        if code != 0 { remove(connection) }
        return true
      } catch {
        return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.code)
      }
    }

    /// If there are too many connections, ends the oldest one that has no request to be answered. Returns false if there is none.
    private func makeRoom() -> Bool {
      let connections = state.withLock(\.connections)
      if connections.count < limits.connections { return true }
      guard let oldest = connections.first(where: { $0.drop(in: [.reading, .lingering]) }) else { return false }
      remove(oldest)
      return true
    }

    private func remove(_ connection: LoopbackConnection) { state.withLock { $0.connections.removeAll { $0 === connection } } }
  }
}

/// Calls `close(2)`. `LoopbackListener.close` would hide that name.
private func systemClose(_ descriptor: Int32) { close(descriptor) }
