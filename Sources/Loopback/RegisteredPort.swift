import OAuthCore
import Platform
import Store
import Synchronization

/// A port that is registered at providers. One listener serves all sign-ins of this process there.
///
/// Several processes of the user may need it. The first listens, and the others are noted with the port to which it sends their redirects.
/// When it ends, another listens.
package final class RegisteredPort: Sendable {
  private struct State {
    var listener: LoopbackListener?
    /// Waits for the process that listens.
    var waiting: Task<Void, Never>?
    var signIns = 0
  }

  /// Milliseconds between two attempts to listen. A redirect that arrives in between is lost.
  private static let pause = 200

  /// What all ports of a process have in common.
  fileprivate struct Shared: Sendable {
    let clock: Clock
    let notes: ProcessNotes
    let log: (any LogSink)?
  }

  private let address: LoopbackAddress
  private let shared: Shared
  private let answer: Answer
  private let state = Mutex(State())

  package typealias Answer = @Sendable (LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer

  fileprivate init(_ address: LoopbackAddress, _ shared: Shared, _ answer: @escaping Answer) {
    (self.address, self.shared, self.answer) = (address, shared, answer)
  }

  deinit { state.withLock { $0.waiting?.cancel() } }

  /// Begins a sign-in. Throws if another program holds the port.
  fileprivate func enter() throws(LoopbackListener.Failure) {
    try state.withLock { state throws(LoopbackListener.Failure) in
      if state.listener?.stay() != true {
        state.listener?.close()
        // A foreign program may have taken the port while this process waited for it.
        state.listener = try open()
        state.waiting?.cancel()
        state.waiting = nil
        if state.listener == nil {
          state.waiting = Task { [weak self, clock = shared.clock] in
            while (try? await clock.sleep(milliseconds: Self.pause)) != nil, self?.takesOver() == false {}
          }
        }
      }
      state.signIns += 1
    }
  }

  /// Ends a sign-in. The last one leaves the listener for late redirects, unless the process is ending.
  package func leave(isEnding: Bool) {
    state.withLock { state in
      state.signIns -= 1
      guard state.signIns == 0 else { return }
      state.waiting?.cancel()
      state.waiting = nil
      // A port of other machines is open only while a sign-in is.
      if isEnding || address.interface != nil { state.listener?.close() } else { state.listener?.keepAnswering(untilPage: true) }
    }
  }

  /// Waits for the responses in progress, at most two seconds.
  package func settle() async { await state.withLock { $0.listener }?.settle() }

  /// Returns false as long as the process has to wait for the port.
  private func takesOver() -> Bool {
    state.withLock { state in
      guard state.waiting != nil else { return true }
      // A foreign program that was faster may end as well.
      state.listener = try? open()
      guard state.listener != nil else { return false }
      state.waiting = nil
      return true
    }
  }

  /// Returns nil if another process of the user listens.
  private func open() throws(LoopbackListener.Failure) -> LoopbackListener? {
    let writing = shared.notes.write("", about: "port \(address.name):\(address.ports)")
    if case .anothers = writing { return nil }
    let listener = try LoopbackListener.open(address, isShared: true, log: shared.log, handler: answer)
    if case .written(let lock) = writing { listener.hold(lock) }
    return listener
  }
}

extension RegisteredPort {
  /// The registered ports of a process.
  package final class All: Sendable {
    private let ports = Mutex<[String: RegisteredPort]>([:])
    private let shared: Shared

    package init(clock: Clock, notes: ProcessNotes, log: (any LogSink)?) { shared = Shared(clock: clock, notes: notes, log: log) }

    /// Begins a sign-in at the first port of the address that no other program holds, on each of the host's addresses.
    /// Returns that port, and nil if any free port will do. `answer` belongs to the process.
    package func enter(
      _ address: LoopbackAddress, answer: @escaping Answer = { _ in .notOurs }
    ) throws(LoopbackListener.Failure) -> (port: UInt16, entered: [RegisteredPort])? {
      var failure = LoopbackListener.Failure.portInUse(address.ports)
      for port in address.ports {
        guard port != 0 else { return nil }
        var entered: [RegisteredPort] = []
        do throws(LoopbackListener.Failure) {
          for host in address.host.families {
            let registered = self.port(LoopbackAddress(host: host, interface: address.interface, ports: [port]), answer)
            do throws(LoopbackListener.Failure) {
              try registered.enter()
              entered.append(registered)
            } catch {
              // The machine may have no IPv6.
              if case .portInUse = error { throw error }
              if entered.isEmpty { throw error }
            }
          }
          return (port, entered)
        } catch {
          for registered in entered { registered.leave(isEnding: true) }
          if case .unavailable = error { failure = error }
        }
      }
      throw failure
    }

    private func port(_ address: LoopbackAddress, _ answer: @escaping Answer) -> RegisteredPort {
      ports.withLock { ports in
        let key = (address.interface ?? "") + address.uri(address.ports[0])
        let port = ports[key] ?? RegisteredPort(address, shared, answer)
        ports[key] = port
        return port
      }
    }
  }
}
