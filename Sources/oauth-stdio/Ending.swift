import Dispatch
import JSONRPC
import OAuth
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How the process ends: what was asked is finished or answered, what a server has replaced is on disk, and then it goes.
final class Ending: Sendable {
  /// Seconds that a token exchange under way may still take, which is as long as one may take at all: losing its answer would lose the login. One
  /// exchange ends by itself after 30 s; a code's may first wait another 30 s for a server's pause to end.
  private static let exchangeSeconds = 60

  /// Microseconds in which the same signal again is the same wish.
  private static let signalPause: UInt32 = 300_000

  /// Milliseconds in which what came right before the end of the input has begun.
  private static let settling = 300

  private let calls: Calls
  private let accounts: Accounts
  private let output: Output
  private let streams: StandardStreams
  private let log: Log
  private let hasBegun = Atomic<Bool>(false)
  /// Whether the process has to go even if nobody reads its answers: not so at the end of the input, whose reader may take its time.
  private let isUrgent = Atomic<Bool>(false)
  /// When what is under way has had its time.
  private let graceEnd = Mutex<ContinuousClock.Instant?>(nil)

  init(calls: Calls, accounts: Accounts, output: Output, streams: StandardStreams, log: Log) {
    self.calls = calls
    self.accounts = accounts
    self.output = output
    self.streams = streams
    self.log = log
  }

  /// Waits for token exchanges, once in the process's life: what has been waited for at `shutdown` is not waited for again at `exit`.
  func finishExchanges(isLast: Bool = false) async { await accounts.finishExchanges(within: grace, isLast: isLast) }

  /// The seconds that exchanges still have; they begin to count when this is first asked for.
  private var grace: Int {
    let now = ContinuousClock.now
    let end = graceEnd.withLock { end in
      let first = end ?? now + .seconds(Self.exchangeSeconds)
      end = first
      return first
    }
    return max(0, Int((end - now).components.seconds))
  }

  /// Waits for signals and ends the process. A second signal means that the user does not want to wait, and ends the process at once.
  func onSignals() {
    let first = Signals.wait()
    Threads.start { self.now(status: 128 + first) }
    // A terminal's signal reaches a whole group, and some parents pass on what the child has heard already.
    usleep(Self.signalPause)
    Signals.drop()
    _exit(128 + Signals.wait())
  }

  /// After the end of input: finishes what was asked, but holds nothing open for a reader that has hung up.
  func finishCalls(status: Int32) {
    if !calls.waitUntilNone(milliseconds: 0) {
      // The parent may hang up long after it closed our input.
      Threads.start {
        self.streams.waitForHangUp()
        self.now(status: status)
      }
      // By then a request to await a sign-in that came right before the end has begun to wait.
      if !calls.waitUntilNone(milliseconds: Self.settling) { wait { await self.accounts.abandonUnawaitedSignIns() } }
      _ = calls.waitUntilNone()
    }
    if !accounts.isIdle { wait { await self.accounts.abandonUnawaitedSignIns() } }
    begin()
    leave(status: status)
  }

  /// Cancels what is pending, answers it if anybody still reads, and goes.
  func now(status: Int32) {
    isUrgent.store(true, ordering: .relaxed)
    begin()
    calls.beginEnding()
    // A code that is being exchanged is spent, so its exchange is finished before the requests that wait for it are cancelled.
    if !accounts.isIdle {
      wait { [self] in
        await accounts.abandonAllSignIns()
        await accounts.finishSignInExchanges(within: grace)
      }
    }
    calls.cancelAll()
    _ = calls.waitUntilNone(milliseconds: 2000)
    leave(status: status)
  }

  /// Only one thread ends the process; any other that comes here has nothing more to do.
  private func begin() {
    guard hasBegun.exchange(true, ordering: .relaxed) else { return }
    while true { pause() }
  }

  private func leave(status: Int32) {
    // A call that has not ended by now may still begin a refresh.
    if !accounts.isIdle || !calls.waitUntilNone(milliseconds: 0) { wait { await self.finishExchanges(isLast: true) } }
    output.flush { isUrgent.load(ordering: .relaxed) }
    if let reason = output.lossReason {
      log.line("oauth-stdio: an answer could not be written: \(reason)")
      log.flush()
      _exit(max(status, 1))
    }
    log.flush()
    // Not exit(3): the clean-up of libraries would run while their threads still do.
    _exit(status)
  }

  /// For the reader's and the signals' threads, which may stand still.
  private func wait(_ work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    let task = Task {
      await work()
      done.signal()
    }
    withExtendedLifetime(task) { done.wait() }
  }
}
