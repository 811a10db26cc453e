import Dispatch
import OAuth
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a command of the user's printed, such as a password manager's `pass show`.
enum CommandOutput {
  struct Fault: Error {
    var reason: String
  }

  /// 64 KiB: a secret is a line.
  private static let limit = 64 << 10
  /// Seconds: enough for somebody to type a passphrase.
  private static let patience = 60

  /// Runs the command without a shell, its standard input closed and its errors on our stderr; cancelling the task kills it and what it started.
  static func of(_ words: [String], _ coreLimit: CoreLimit) async throws(Fault) -> [UInt8] {
    let isCancelled = CancellationFlag()
    let result: Result<[UInt8], Fault> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: Result { () throws(Fault) in try run(words, coreLimit, isCancelled) })
        }
      }
    } onCancel: {
      isCancelled.set()
    }
    return try result.get()
  }

  private static func run(_ words: [String], _ coreLimit: CoreLimit, _ isCancelled: CancellationFlag) throws(Fault) -> [UInt8] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Fault(reason: "no pipe could be made") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    // The process blocks its own signals and ignores SIGPIPE and SIGXFSZ; the command starts as if from a shell.
    var none = sigset_t()
    sigemptyset(&none)
    var ignored = none
    sigaddset(&ignored, SIGPIPE)
    sigaddset(&ignored, SIGXFSZ)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var child: pid_t = 0
    let code = coreLimit.lifted { posix_spawnp(&child, words[0], &actions, &attributes, &arguments, ProcessEnvironment.pointer) }
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else { throw Fault(reason: String(cString: strerror(code)).lowercased()) }
    do throws(Fault) {
      let output = try read(ends[0], isCancelled)
      try awaitEnd(of: child, isCancelled)
      return output
    } catch {
      kill(-child, SIGKILL)
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      throw error
    }
  }

  private static func read(_ descriptor: Int32, _ isCancelled: CancellationFlag) throws(Fault) -> [UInt8] {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    let deadline = time(nil) + patience
    while true {
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, 100) > 0 else {
        try check(deadline, isCancelled)
        continue
      }
      let count = chunk.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      output += chunk[..<count]
      guard output.count <= limit else { throw Fault(reason: "it printed more than \(limit) bytes") }
    }
  }

  private static func awaitEnd(of child: pid_t, _ isCancelled: CancellationFlag) throws(Fault) {
    let deadline = time(nil) + patience
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child { break }
      guard ended == 0 || errno == EINTR else { throw Fault(reason: "its end cannot be told") }
      try check(deadline, isCancelled)
      usleep(10_000)
    }
    guard status == 0 else { throw Fault(reason: "it ended with status \((status >> 8) & 0xFF)") }
  }

  private static func check(_ deadline: Int, _ isCancelled: CancellationFlag) throws(Fault) {
    if isCancelled.isSet { throw Fault(reason: "it was cancelled") }
    if time(nil) > deadline { throw Fault(reason: "it did not end in \(patience) s") }
  }
}

/// Tells a thread that the task it works for has been cancelled.
private final class CancellationFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}

private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
