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
  /// Seconds that a refresh under way may still take: losing its answer would lose the login.
  private static let refreshSeconds = 10

  /// Microseconds in which the same signal again is the same wish.
  private static let signalPause: UInt32 = 300_000

  private let calls: Calls
  private let accounts: Accounts
  private let output: Output
  private let streams: StandardStreams
  private let hasBegun = Atomic<Bool>(false)
  /// Whether the process has to go even if nobody reads its answers: not so at the end of the input, whose reader may take its time.
  private let isUrgent = Atomic<Bool>(false)
  /// When what is under way has had its time.
  private let graceEnd = Mutex<ContinuousClock.Instant?>(nil)

  init(calls: Calls, accounts: Accounts, output: Output, streams: StandardStreams) {
    self.calls = calls
    self.accounts = accounts
    self.output = output
    self.streams = streams
  }

  /// Waits for refreshes, once in the process's life: whoever has waited at `shutdown` does not wait again at `exit`.
  func finishRefreshes() async {
    let now = ContinuousClock.now
    let end = graceEnd.withLock { end in
      let first = end ?? now + .seconds(Self.refreshSeconds)
      end = first
      return first
    }
    await accounts.finishRefreshes(within: max(0, Int((end - now).components.seconds)))
  }

  /// Waits for signals and ends the process. Somebody who sends the same one again means it, and is not kept waiting.
  func onSignals() {
    let first = Signals.wait()
    Threads.start { self.now(status: 128 + first) }
    // A terminal's signal reaches a whole group, and some parents pass on what the child has heard already.
    usleep(Self.signalPause)
    Signals.drop()
    while Signals.wait() != first {}
    _exit(128 + first)
  }

  /// After the end of input: finishes what was asked, but holds nothing open for a reader that has hung up.
  func finishCalls(status: Int32) {
    var looks = 0
    // The parent may hang up a little after it closed our input, so it is looked at again and again.
    while !calls.waitUntilNone(milliseconds: 100) {
      if streams.isHungUp { return now(status: status) }
      looks += 1
      // By then a request to await a sign-in that came right before the end has begun to wait.
      if looks == 3 { wait { await self.accounts.abandonUnawaitedSignIns() } }
    }
    wait { await self.accounts.abandonUnawaitedSignIns() }
    begin()
    leave(status: status)
  }

  /// Cancels what is pending, answers it if anybody still reads, and goes.
  func now(status: Int32) {
    isUrgent.store(true, ordering: .relaxed)
    begin()
    calls.beginEnding()
    wait { await self.accounts.abandonAllSignIns() }
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
    wait { await self.finishRefreshes() }
    output.flush { isUrgent.load(ordering: .relaxed) }
    if let reason = output.lossReason {
      Log.line("oauth-stdio: an answer could not be written: \(reason)")
      _exit(max(status, 1))
    }
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
