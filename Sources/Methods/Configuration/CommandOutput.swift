import Dispatch
import Platform
import Synchronization

/// The output of a command of the user, such as a password manager's `pass show`.
package enum CommandOutput {
  package struct Fault: Error {
    package var reason: String
    /// The command's exit status; nil if it has none.
    package var status: Int32?
  }

  /// 64 KiB. A secret is usually one line.
  private static let limit = 64 << 10
  /// The running commands, and whether each has input: it then signs. A request that ends does not end its command, but the process does.
  private static let running = Mutex<[pid_t: Bool]>([:])

  /// Kills the commands; with `signing` only those whose signature no request has had yet.
  static func killAll(signing: Bool = false) {
    for (child, signs) in running.withLock({ $0 }) where signs || !signing { kill(-child, SIGKILL) }
  }

  /// Long enough to type a passphrase.
  private static let timeoutSeconds = 60

  /// Runs the command without a shell, with these bytes on standard input and its errors on stderr. Cancelling the task kills the command and its
  /// children.
  static func of(
    _ words: [String], _ children: ChildEnvironment, _ clock: Clock, input: [UInt8] = [], seconds: Int = timeoutSeconds
  ) async throws(Fault) -> [UInt8] {
    let cancellation = DispatchSemaphore(value: 0)
    let result = await withTaskCancellationHandler {
      // A queue of its own, so that other blocking work does not wait for the command.
      await Blocking().run {
        Result { () throws(Fault) in
          try run(words, children.variables, clock, cancellation, input: input, seconds: min(seconds, timeoutSeconds))
        }
      }
    } onCancel: {
      cancellation.signal()
    }
    return try result.get()
  }

  /// Runs the command on this thread.
  package static func run(
    _ words: [String], _ environment: [String: String], _ clock: Clock, _ cancellation: DispatchSemaphore = .init(value: 0),
    input: [UInt8] = [], seconds: Int = timeoutSeconds
  ) throws(Fault) -> [UInt8] {
    let program = words[0].contains("/") ? words[0] : ProgramFile.find(words[0], in: environment["PATH"])
    guard let program else { throw Fault(reason: Descriptors.reason(ENOENT)) }
    guard let pipe = Pipe() else { throw Fault(reason: "no pipe could be made: \(Descriptors.reason(errno))") }
    defer { close(pipe.reading) }
    let inputPipe = try self.pipe(with: input)
    defer { if let inputPipe { close(inputPipe) } }
    let child: pid_t
    do throws(Descriptors.Fault) {
      defer { close(pipe.writing) }
      child = try ChildProcess(
        program, words, environment: environment, group: .own, input: inputPipe, output: pipe.writing, sharesErrors: true
      )
      .start()
    } catch {
      throw Fault(reason: error.reason)
    }
    running.withLock { $0[child] = !input.isEmpty }
    defer { running.withLock { _ = $0.removeValue(forKey: child) } }
    do throws(Fault) {
      let deadline = clock.deadline(in: seconds)
      let output = try output(of: pipe.reading, child, deadline, cancellation)
      try awaitEnd(of: child, deadline, cancellation)
      return output
    } catch {
      kill(-child, SIGKILL)
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      throw error
    }
  }

  /// Returns the end of a pipe from which the bytes can be read; nil for no bytes. A pipe holds at least 16 KiB.
  private static func pipe(with input: [UInt8]) throws(Fault) -> Int32? {
    guard !input.isEmpty else { return nil }
    guard input.count <= 16 << 10, let pipe = Pipe() else { throw Fault(reason: "no pipe could be made for \(input.count) bytes") }
    defer { close(pipe.writing) }
    guard write(pipe.writing, input, input.count) == input.count else {
      close(pipe.reading)
      throw Fault(reason: "the bytes to sign could not be written: \(Descriptors.reason(errno))")
    }
    return pipe.reading
  }

  private static func output(
    of descriptor: Int32, _ child: pid_t, _ deadline: Clock.Deadline, _ cancellation: DispatchSemaphore
  ) throws(Fault) -> [UInt8] {
    var (output, hasEnded) = ([UInt8](), false)
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      try check(deadline, cancellation)
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, hasEnded ? 0 : 100) > 0 else {
        if hasEnded { return output }
        // An agent that the command has started may keep the pipe open.
        var end = siginfo_t()
        hasEnded = waitid(P_PID, id_t(child), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_signo == SIGCHLD
        continue
      }
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      output += chunk[..<count]
      guard output.count <= limit else { throw Fault(reason: "it printed more than \(limit) bytes") }
    }
  }

  private static func awaitEnd(of child: pid_t, _ deadline: Clock.Deadline, _ cancellation: DispatchSemaphore) throws(Fault) {
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child { break }
      guard ended == 0 || errno == EINTR else { throw Fault(reason: "its exit status is unknown") }
      try check(deadline, cancellation, pausing: 10)
    }
    // The low seven bits hold the signal that ended the process (WTERMSIG).
    let signal = status & 0x7F
    guard signal == 0 else { throw Fault(reason: "signal \(signal) ended it") }
    let code = (status >> 8) & 0xFF
    guard code == 0 else { throw Fault(reason: "it ended with status \(code)", status: code) }
  }

  private static func check(_ deadline: Clock.Deadline, _ cancellation: DispatchSemaphore, pausing milliseconds: Int = 0) throws(Fault) {
    if cancellation.wait(timeout: .now() + .milliseconds(milliseconds)) == .success { throw Fault(reason: "it was cancelled") }
    if deadline.left == 0 { throw Fault(reason: "it did not end in \(deadline.seconds) s") }
  }
}
