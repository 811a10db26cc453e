import CCurl
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the callers of a client and its thread share: the commands on their way, and whether there is a thread to carry them out.
final class CurlMailbox: Sendable {
  typealias Answer = CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>

  enum Command: Sendable {
    case begin(id: Int, HTTPRequest, host: String, Answer)
    case cancel(id: Int)
  }

  private enum Worker {
    case none
    case starting
    case running
    case closed
  }

  private struct State {
    var worker = Worker.none
    var commands: [Command] = []
    var lastID = 0
  }

  private let state = Mutex(State())
  /// The address of the thread's `curl_multi`, to wake it; nil if there is none. It has its own lock: the woken thread takes the commands' lock at once
  /// and would otherwise have to wait for it.
  private let multi = Mutex<UInt?>(nil)

  func newID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// True where the caller has to start a thread that will carry this out.
  func post(_ command: Command) -> Bool {
    let (starts, wakes) = state.withLock { state in
      // Where nothing runs there is nothing to cancel.
      if case .none = state.worker, case .cancel = command { return (false, false) }
      state.commands.append(command)
      switch state.worker {
      case .none:
        state.worker = .starting
        return (true, false)
      // The first of several commands has woken the thread for all of them.
      case .running: return (false, state.commands.count == 1)
      case .starting, .closed: return (false, false)
      }
    }
    if wakes { wake() }
    return starts
  }

  /// The thread is ready: from now on it can be woken.
  func opened(_ multi: OpaquePointer) {
    self.multi.withLock { $0 = UInt(bitPattern: multi) }
    state.withLock { state in
      if case .starting = state.worker { state.worker = .running }
    }
  }

  /// The thread ends, and frees this; another one may have opened its own meanwhile.
  func closed(_ multi: OpaquePointer) {
    self.multi.withLock { if $0 == UInt(bitPattern: multi) { $0 = nil } }
  }

  /// The commands so far, in order; nil once the client is gone.
  func take() -> [Command]? {
    state.withLock { state in
      if case .closed = state.worker { return nil }
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// True where the thread may end, because there is nothing to do; the next command starts another.
  func retire() -> Bool {
    state.withLock { state in
      guard state.commands.isEmpty else { return false }
      if case .running = state.worker { state.worker = .none }
      return true
    }
  }

  /// No thread could be started: whoever waits is told, and the next command tries again.
  func fail(_ reason: String) {
    let commands = state.withLock { state in
      state.worker = .none
      defer { state.commands = [] }
      return state.commands
    }
    for case .begin(_, _, _, let answer) in commands { answer.resume(returning: .failure(.unavailable(reason: reason))) }
  }

  /// The client is gone; nobody waits any more.
  func close() {
    state.withLock { $0.worker = .closed }
    wake()
  }

  private func wake() {
    multi.withLock { multi in
      if let multi = multi.flatMap({ OpaquePointer(bitPattern: $0) }) { ccurl_multi_wakeup(multi) }
    }
  }
}
