import CCurl
import Jansson
import OAuthCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// State shared by a client's callers and its thread: the pending commands, and whether a thread exists to execute them.
final class CurlMailbox: Sendable {
  typealias Continuation = CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>

  enum Command: Sendable {
    case begin(id: Int, HTTPRequest, host: String, Continuation)
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
  /// The address of the thread's `curl_multi`, to wake it; nil if there is none.
  /// It has a separate lock, because the woken thread takes the commands' lock at once and would have to wait for it.
  private let multi = Mutex<UInt?>(nil)

  func newID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Posts a command. Returns true if the caller must start a thread to execute it.
  func post(_ command: Command) -> Bool {
    let (starts, wakes) = state.withLock { state in
      // Without a thread there is nothing to cancel.
      if case .none = state.worker, case .cancel = command { return (false, false) }
      state.commands.append(command)
      switch state.worker {
      case .none:
        state.worker = .starting
        return (true, false)
      // The first of several pending commands has already woken the thread.
      case .running: return (false, state.commands.count == 1)
      case .starting, .closed: return (false, false)
      }
    }
    if wakes { wake() }
    return starts
  }

  /// Reports that the thread is ready and can be woken.
  func opened(_ multi: OpaquePointer) {
    self.multi.withLock { $0 = UInt(bitPattern: multi) }
    state.withLock { state in
      if case .starting = state.worker { state.worker = .running }
    }
  }

  /// Reports that the thread is ending and will free its handle. Another thread may have opened its own meanwhile.
  func closed(_ multi: OpaquePointer) {
    self.multi.withLock { if $0 == UInt(bitPattern: multi) { $0 = nil } }
  }

  /// Removes and returns the pending commands in order; nil if the client is deinitialized.
  func take() -> [Command]? {
    state.withLock { state in
      if case .closed = state.worker { return nil }
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Returns true if the thread may end because no command is pending. The next command starts another thread.
  func retire() -> Bool {
    state.withLock { state in
      guard state.commands.isEmpty else { return false }
      if case .running = state.worker { state.worker = .none }
      return true
    }
  }

  /// Reports to all waiters that no thread could be started. The next command tries again.
  func fail(_ reason: String) {
    let commands = state.withLock { state in
      state.worker = .none
      defer { state.commands = [] }
      return state.commands
    }
    for case .begin(_, _, _, let answer) in commands { answer.resume(returning: .failure(.unavailable(reason: reason))) }
  }

  /// Closes the mailbox when the client is deinitialized. No caller is waiting any more.
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
