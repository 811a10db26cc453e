import Dispatch
import JSONRPC
import OAuth
import Platform
import Store
import Synchronization

/// Ends the process: finishes or answers all requests, stores the tokens that a server has replaced, then exits.
package final class ShutdownSequence: Sendable {
  /// Seconds that running token exchanges may still take, because a lost response would lose the login.
  /// A refresh and its write to a database take as long as a lease. A code's exchange takes 30 s, and may first wait 30 s for a server's pause.
  private static let exchangeSeconds = RefreshTimes.lease

  /// All signals within this time count as one request. systemd can send SIGHUP right after SIGTERM.
  private static let signalPauseMicroseconds: UInt32 = 300_000

  /// A command prints the answer to a cancelled request in this time.
  private static let printGraceMilliseconds = 1000

  /// Requests that end now hand their answers over in this time.
  private static let answerGraceMilliseconds = 2000

  /// A person who waits longer for the end is told why.
  private static let explainAfterSeconds = 1

  /// By then, requests read right before the end of input have started.
  private static let startupGraceMilliseconds = 300

  private struct State {
    var hasBegun = false
    /// Whether the process must exit even if no client reads its answers. False at the end of input, because the reader may be slow.
    var isUrgent = false
    var hasExplained = false
    /// The exit status that a signal or another thread asks for, or 0.
    var urgentStatus: Int32 = 0
    /// What comes first at the end.
    var farewell: (@Sendable () async -> Void)?
    /// The user's command, which gets the signals in place of this process.
    var command: pid_t?
    /// When the time for running exchanges is over.
    var graceEnd: Clock.Deadline?
  }

  private let session: Session
  private let accounts: Accounts
  private let output: Output
  private let streams: StandardStreams
  private let log: Log
  /// Whether the main thread is a command that prints the answer and then calls `finishCalls`.
  private let isCommand: Bool
  private let commandIsDone = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  init(session: Session, accounts: Accounts, output: Output, streams: StandardStreams, log: Log, isCommand: Bool) {
    (self.session, self.accounts, self.output) = (session, accounts, output)
    (self.streams, self.log, self.isCommand) = (streams, log, isCommand)
  }

  /// Waits for token exchanges. The time is limited once per process, so `exit` does not repeat the wait of `shutdown`.
  func finishExchanges(isLast: Bool = false) async { await accounts.finishExchanges(within: grace, isLast: isLast) }

  /// The seconds that exchanges still have. The time starts at the first use.
  private var grace: Int {
    state.withLock { state in
      let end = state.graceEnd ?? accounts.clock.deadline(in: Self.exchangeSeconds)
      state.graceEnd = end
      return end.left
    }
  }

  /// Waits for signals and ends the process. A second signal ends it at once, because the user does not want to wait.
  func onSignals() {
    let first = nextSignal()
    // Another thread may be about to exit with the status of the end of input.
    urge(128 + first)
    Thread.start { self.endAtOnce(status: 128 + first) }
    // A terminal sends its signal to the whole group, and some parents then forward it to the child.
    usleep(Self.signalPauseMicroseconds)
    Signals.drop()
    let second = Signals.wait()
    Terminal.restore()
    _exit(128 + second)
  }

  /// Waits for a signal that is not for the user's command.
  private func nextSignal() -> Int32 {
    while true {
      let number = Signals.wait()
      let isPassedOn = state.withLock { state in
        // A terminal sends SIGINT to the command, too.
        if let command = state.command, number != SIGINT { kill(command, number) }
        return state.command != nil
      }
      if !isPassedOn { return number }
    }
  }

  /// Ends this process when the process that the client named in `initialize` has ended, because a killed editor sends no `exit`.
  func endWith(_ process: Int32) {
    Thread.start {
      ProcessEnd.wait(for: process)
      self.endAtOnce(status: 1)
    }
  }

  /// Finishes the open requests, then exits. Stops early if the reader hangs up.
  package func finishCalls(status: Int32) -> Never {
    if !session.waitUntilNone(milliseconds: 0) {
      // The parent may hang up long after it has closed our input.
      Thread.start {
        self.streams.waitForHangUp()
        self.endAtOnce(status: status)
      }
      // By then, an `awaitSignIn` sent right before the end of input is waiting.
      if !session.waitUntilNone(milliseconds: Self.startupGraceMilliseconds) { wait { await self.accounts.signIns.abandon(all: false) } }
      _ = session.waitUntilNone()
    }
    if !accounts.isIdle { wait { await self.accounts.signIns.abandon(all: false) } }
    commandIsDone.signal()
    begin()
    exit(status: status)
  }

  /// Starts the user's command. Signals go to it from here on, because its end is that of this process.
  package func start(_ command: ChildProcess) throws(Descriptors.Fault) -> pid_t {
    let result = state.withLock { state in
      Result { () throws(Descriptors.Fault) in
        let process = try command.start()
        state.command = process
        return process
      }
    }
    return try result.get()
  }

  /// Waits for the end of the user's command, and returns its exit status. Signals are for this process again.
  package func end(of command: pid_t) -> Int32 {
    // Until it is reaped, no other process can have its number.
    var end = siginfo_t()
    while waitid(P_PID, id_t(command), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    state.withLock { $0.command = nil }
    return ChildProcess.wait(for: command)
  }

  /// Does this work before everything else at the end, also when a signal ends the process. It must take less than two seconds.
  package func begin(with farewell: @escaping @Sendable () async -> Void) { state.withLock { $0.farewell = farewell } }

  /// Cancels the pending requests, answers them if the client still reads, and exits.
  package func endAtOnce(status: Int32) -> Never {
    urge(status)
    begin()
    if let farewell = state.withLock({ $0.farewell }) { wait(farewell) }
    let isAnswering = isCommand && !session.waitUntilNone(milliseconds: 0)
    session.beginEnding()
    // A code under exchange is already spent. Its exchange finishes before the requests that wait for it are cancelled.
    if !accounts.isIdle {
      wait { [self] in
        await accounts.signIns.abandon(all: true)
        await accounts.finishSignInExchanges(within: grace)
      }
    }
    session.cancelAll()
    _ = session.waitUntilNone(milliseconds: Self.answerGraceMilliseconds)
    exit(status: status, isAnswering: isAnswering)
  }

  /// An end that has already begun continues with this status, and may discard answers.
  private func urge(_ status: Int32) { state.withLock { ($0.isUrgent, $0.urgentStatus) = (true, max($0.urgentStatus, status)) } }

  /// Lets only one thread end the process. Any other caller blocks here.
  private func begin() {
    guard state.withLock({ exchange(&$0.hasBegun, with: true) }) else { return }
    while true { pause() }
  }

  /// `isAnswering` says whether a command is yet to print its answer.
  private func exit(status: Int32, isAnswering: Bool = false) -> Never {
    Terminal.restore()
    // A request that still waits for its signature has sent nothing that could be lost.
    CommandOutput.killAll(signing: true)
    // A call that is still running may yet start a refresh.
    if !accounts.isIdle || !session.waitUntilNone(milliseconds: 0) { wait { await self.finishExchanges(isLast: true) } }
    // A farewell has written what there was.
    if state.withLock({ $0.farewell == nil }) { output.flush { state.withLock { $0.isUrgent } } }
    accounts.finishStore()
    if isAnswering { _ = commandIsDone.wait(timeout: .now() + .milliseconds(Self.printGraceMilliseconds)) }
    let reason = output.lossReason
    if let reason { log.line("oauth-stdio: an answer could not be written: \(reason)") }
    log.flush()
    CommandOutput.killAll()
    // exit(3) would clean up libraries while their threads still run.
    _exit(max(status, state.withLock { $0.urgentStatus }, reason == nil ? 0 : 1))
  }

  /// Blocks the thread until the work is done. Only for the reader's thread and the signals' thread.
  /// A person may repeat a signal that seems to have no effect, which could lose the login.
  private func wait(_ work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    let task = Task {
      await work()
      done.signal()
    }
    withExtendedLifetime(task) {
      // The signal may come during the wait.
      while done.wait(timeout: .now() + .seconds(Self.explainAfterSeconds)) == .timedOut {
        guard state.withLock({ $0.isUrgent && !exchange(&$0.hasExplained, with: true) }) else { continue }
        log.line(
          "oauth-stdio: waiting at most \(grace) s for unfinished work, such as new tokens. A second signal ends this now and may lose the login"
        )
      }
    }
  }
}
