import CPlatform

/// A program to start. It inherits descriptors 0 to 2 and the environment given here, and nothing else of this process unless its group is `callers`.
package struct ChildProcess {
  /// Which signals reach the child.
  package enum Group {
    /// A separate process group, which can be killed together with everything that the child starts.
    case own
    /// A separate session, which receives no signal of a terminal or of our group.
    case session
    /// The group of this process, with its terminal and its other descriptors: for a command that the user runs through this program.
    case callers
  }

  /// The path of the program. PATH is not searched.
  private let program: String
  private let arguments: [String]
  private let environment: [String: String]
  private let group: Group
  /// The child's descriptor 0; nil means /dev/null.
  private let input: Int32?
  /// The child's descriptor 1; nil means /dev/null.
  private let output: Int32?
  /// Whether the child shares our standard error; otherwise its errors go to /dev/null.
  private let sharesErrors: Bool

  package init(
    _ program: String, _ arguments: [String], environment: [String: String], group: Group, input: Int32? = nil, output: Int32? = nil,
    sharesErrors: Bool = false
  ) {
    (self.program, self.arguments, self.environment) = (program, arguments, environment)
    (self.group, self.input, self.output, self.sharesErrors) = (group, input, output, sharesErrors)
  }

  /// Starts the child with default signal handling. The caller must wait for the child.
  package func start() throws(Descriptors.Fault) -> pid_t {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    // The output comes first: it may have the number 0 if our own descriptor 0 is closed.
    if let output { try check(posix_spawn_file_actions_adddup2(&actions, output, 1)) }
    if let input {
      try check(posix_spawn_file_actions_adddup2(&actions, input, 0))
    } else {
      try check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0))
    }
    if output == nil { try check(posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)) }
    if !sharesErrors { try check(posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)) }
    // Our descriptors are close-on-exec, but the parent process may have left others open.
    #if canImport(Glibc)
      if group != .callers { try check(cplatform_close_from(&actions, 3)) }
    #else
      if sharesErrors { try check(posix_spawn_file_actions_addinherit_np(&actions, 2)) }
    #endif
    // The process blocks signals and ignores SIGPIPE. The child would inherit both.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    if group == .callers {
      // What the parent ignores, as nohup(1) does, stays ignored, but for SIGCHLD.
      sigemptyset(&all)
      for number in [SIGPIPE, SIGXFSZ] { sigaddset(&all, number) }
    } else {
      sigfillset(&all)
    }
    try check(posix_spawnattr_setsigmask(&attributes, &none))
    try check(posix_spawnattr_setsigdefault(&attributes, &all))
    try check(posix_spawnattr_setpgroup(&attributes, 0))
    try check(posix_spawnattr_setflags(&attributes, flags))
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var child: pid_t = 0
    // If the parent process ignores it, the system keeps no exit status.
    signal(SIGCHLD, SIG_DFL)
    try check(posix_spawn(&child, program, &actions, &attributes, words, variables))
    return child
  }

  /// Returns the exit status of a child, or 128 and the number of the signal that ended it. Blocks the thread.
  package static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  private func check(_ code: Int32) throws(Descriptors.Fault) { guard code == 0 else { throw Descriptors.Fault(code: code) } }

  private var flags: Int16 {
    #if canImport(Glibc)
      // POSIX_SPAWN_SETPGROUP, POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK and POSIX_SPAWN_SETSID of <spawn.h>. The module doesn't export the last.
      Int16(0x04 | 0x08 | (group == .session ? 0x80 : group == .own ? 0x02 : 0))
    #else
      Int16(
        POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (group == .callers ? 0 : POSIX_SPAWN_CLOEXEC_DEFAULT)
          | (group == .session ? POSIX_SPAWN_SETSID : group == .own ? POSIX_SPAWN_SETPGROUP : 0))
    #endif
  }
}

/// The end of another process.
package enum ProcessEnd {
  /// Seconds between two checks where the system cannot report the end of a process. vscode-languageserver uses the same value.
  private static let interval: UInt32 = 3

  /// Returns when the process has ended. Blocks the thread.
  package static func wait(for process: Int32) {
    let descriptor = cplatform_watch_process(process)
    if descriptor >= 0 {
      defer { close(descriptor) }
      var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&end, 1, -1) < 0, errno == EINTR {}
      if end.revents & Int16(POLLIN) != 0 { return }
    }
    while kill(process, 0) == 0 || errno == EPERM { sleep(interval) }
  }
}

/// The memory of this process, which holds tokens.
package enum ProcessMemory {
  /// Protects the memory from other processes of the same user and from core dumps. Child programs are unaffected.
  package static func keepPrivate() { cplatform_keep_memory_private() }
}

/// Identifies the machine on which a process runs, so that another process can tell whether a process identifier is one of its own machine.
package enum MachineIdentity {
  /// The boot and the process namespace on Linux: containers number their processes apart. The host's name elsewhere.
  package static let current = name(with: "pid")
  /// The same for ports, with the network namespace.
  package static let network = name(with: "net")

  private static func name(with namespace: String) -> String {
    #if os(Linux)
      let boot = (try? PosixFile.read("/proc/sys/kernel/random/boot_id", limit: 64)) ?? nil
      var target = [CChar](repeating: 0, count: 64)
      readlink("/proc/self/ns/\(namespace)", &target, target.count)
      // Such as `pid:[4026531836]`.
      let space = String(terminated: target).filter(\.isNumber)
      let name = boot.map { String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self) } ?? ""
      if !name.isEmpty, !space.isEmpty { return "\(name).\(space)" }
    #endif
    var host = [CChar](repeating: 0, count: 256)
    gethostname(&host, 255)
    return String(terminated: host)
  }

  /// Whether no process with this identifier is running here.
  package static func isDead(_ process: pid_t) -> Bool { process > 0 && kill(process, 0) != 0 && errno == ESRCH }
}

/// The system's cryptographic source.
package enum SystemRandom {
  @Sendable package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    // Each number costs a system call, so all of its eight bytes are used.
    while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) } }
    return bytes
  }
}
