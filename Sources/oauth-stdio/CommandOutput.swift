import Dispatch

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

  /// Runs the command without a shell, its standard input closed and its errors on our stderr.
  static func of(_ words: [String]) async throws(Fault) -> [UInt8] {
    let result: Result<[UInt8], Fault> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Result { () throws(Fault) in try run(words) }) }
    }
    return try result.get()
  }

  private static func run(_ words: [String]) throws(Fault) -> [UInt8] {
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
    // Our own signals are blocked and SIGPIPE is ignored; the command starts as if from a shell.
    var none = sigset_t()
    sigemptyset(&none)
    var pipeSignal = none
    sigaddset(&pipeSignal, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &pipeSignal)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    let code = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, ProcessEnvironment.pointer)
    close(ends[1])
    defer { close(ends[0]) }
    guard code == 0 else { throw Fault(reason: String(cString: strerror(code)).lowercased()) }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while output.count < limit {
      let count = chunk.withUnsafeMutableBytes { readBytes(ends[0], $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output += chunk[..<count]
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Fault(reason: "it ended with status \((status >> 8) & 0xFF)") }
    return output
  }
}

private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
