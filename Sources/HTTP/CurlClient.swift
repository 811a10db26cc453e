import CCurl
import OAuthCore
import Platform
import Synchronization

/// Sends HTTP requests with the system's libcurl. It supports every kind of proxy, HTTP/2, compression, and TLS that system updates keep secure.
///
/// All exchanges of a client run on one separate thread. The first exchange starts it, and it ends after a long idle time.
/// `Sink.stream` and `progress` are called on that thread, so they must not block.
/// A task that prefers this executor runs there, too, while no exchange does: waking other threads would cost it more than its own work.
package final class CurlClient: HTTPClient, TaskExecutor {
  private let mailbox = Mailbox()
  private let settings: CurlSettings
  private let log: (any LogSink)?

  /// The variables that name the user's file of certificates. The first one that is set is in force.
  package static let certificateVariables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]

  /// The version of libcurl and of its TLS library, or why there is none.
  package static var libraryVersion: String { absence ?? String(cString: ccurl_version()) }

  /// Loads libcurl. Returns why there is none.
  private static var absence: String? {
    var reason = [CChar](repeating: 0, count: 256)
    return ccurl_open(&reason, reason.count) == 0 ? nil : String(terminated: reason)
  }

  /// - Parameters:
  ///   - version: the program's, for the `User-Agent` of requests without one.
  ///   - environment: looks up no_proxy, NO_PROXY, CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR. libcurl reads the proxies itself.
  ///   - log: takes a line about every exchange.
  package init(
    version: String, clock: Clock = .system, environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } },
    log: (any LogSink)? = nil
  ) {
    settings = CurlSettings(version: version, clock: clock, environment: environment)
    self.log = log
  }

  deinit { mailbox.close() }

  package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    do throws(HTTPFailure) {
      let (response, host) = try await exchange(request)
      // Path, query, headers and bodies may contain secrets and are never logged.
      log?.take(.init(.info, "\(request.method) \(host) answered \(response.status), \(response.bytes) bytes"))
      return response
    } catch {
      let host = (try? URLParts(request.url))?.host ?? ""
      log?.take(.init(.info, "\(request.method) \(host) failed: \(OAuthFailure(error).message)"))
      throw error
    }
  }

  private func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> (HTTPResponse, host: String) {
    let host = try request.checkedHost()
    if Task.isCancelled { throw .cancelled }
    let id = mailbox.newID()
    request.signal?.connect { [mailbox] in _ = mailbox.post(.wake(id: id)) }
    defer { request.signal?.connect(nil) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        post(.begin(id: id, request, host: host, answer))
        // The task was cancelled before the request was posted, so the handler below ran too early.
        if Task.isCancelled { post(.cancel(id: id)) }
      }
    } onCancel: {
      post(.cancel(id: id))
    }
    return (try result.get(), host)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    post(.run { [job = UnownedJob(job), executor = asUnownedTaskExecutor()] in job.runSynchronously(on: executor) })
  }

  private func post(_ command: Mailbox.Command) { if mailbox.post(command) { startThread() } }

  // MARK: The thread

  /// In bytes. TLS handshakes need about 100 KB.
  private static let stackSize = 1 << 20

  /// Starts the only thread that uses libcurl's handles, because a handle belongs to one thread at a time.
  private func startThread() {
    let code = Thread.start(stackSize: Self.stackSize) { [mailbox, settings] in
      if let absence = Self.absence { return mailbox.fail(absence) }
      guard let loop = CurlLoop(mailbox, settings) else { return mailbox.fail("libcurl could not start: out of memory") }
      loop.run()
    }
    if code != 0 { mailbox.fail("no thread for libcurl could be started: \(String(cString: strerror(code)))") }
  }
}

extension CurlClient {
  /// State shared by a client's callers and its thread: the pending commands, and whether a thread exists to execute them.
  final class Mailbox: Sendable {
    typealias Continuation = CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>

    enum Command: Sendable {
      case begin(id: Int, HTTPRequest, host: String, Continuation)
      case cancel(id: Int)
      case run(@Sendable () -> Void)
      case wake(id: Int)

      var needsThread: Bool {
        switch self {
        case .begin, .run: true
        case .cancel, .wake: false
        }
      }
    }

    private enum Worker {
      case none
      case starting
      /// The address of the thread's `curl_multi`, to wake it.
      case running(UInt)
      case closed
    }

    private struct State {
      var worker = Worker.none
      var commands: [Command] = []
      var lastID = 0
      /// Whether the thread waits, and nothing has woken it yet.
      var isWaiting = false

      mutating func wake() {
        guard isWaiting, case .running(let multi) = worker, let multi = OpaquePointer(bitPattern: multi) else { return }
        isWaiting = false
        ccurl_multi_wakeup(multi)
      }
    }

    private let state = Mutex(State())

    func newID() -> Int {
      state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
    }

    /// Posts a command. Returns true if the caller must start a thread to execute it.
    func post(_ command: Command) -> Bool {
      state.withLock { state in
        // Without a thread there is nothing to cancel or to wake.
        if case .none = state.worker, !command.needsThread { return false }
        state.commands.append(command)
        guard case .none = state.worker else {
          state.wake()
          return false
        }
        state.worker = .starting
        return true
      }
    }

    /// Reports that the thread is ready and can be woken.
    func opened(_ multi: OpaquePointer) {
      state.withLock { state in
        if case .starting = state.worker { state.worker = .running(UInt(bitPattern: multi)) }
      }
    }

    /// Removes and returns the pending commands in order; nil if the client is deinitialized.
    func take() -> [Command]? {
      state.withLock { state in
        if case .closed = state.worker { return nil }
        state.isWaiting = false
        return Swift.exchange(&state.commands, with: [])
      }
    }

    /// Returns whether the thread may wait, because no command is pending.
    func mayWait() -> Bool {
      state.withLock { state in
        if case .closed = state.worker { return false }
        state.isWaiting = state.commands.isEmpty
        return state.isWaiting
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
        return Swift.exchange(&state.commands, with: [])
      }
      for case .run(let part) in commands { part() }
      for case .begin(_, _, _, let answer) in commands { answer.resume(returning: .failure(.unavailable(reason: reason))) }
    }

    /// Closes the mailbox when the client is deinitialized. No caller is waiting any more.
    func close() {
      state.withLock { state in
        // The thread frees its handle after it has taken this lock.
        defer { state.worker = .closed }
        state.wake()
      }
    }
  }
}
