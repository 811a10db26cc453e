import CPlatform

/// A program to start. It inherits descriptors 0 to 2 and the environment given here, and nothing else of this process.
package struct ChildProcess {
  /// Which signals reach the child.
  package enum Group {
    /// A separate process group, which can be killed together with everything that the child starts.
    case own
    /// A separate session, which receives no signal of a terminal or of our group.
    case session
  }

  /// The error number of a failed start.
  package struct Fault: Error {
    package let code: Int32
    package static let notFound = Fault(code: ENOENT)
    package var reason: String { Descriptors.reason(code) }
  }

  /// The path of the program. PATH is not searched.
  private let program: String
  private let arguments: [String]
  private let environment: [String: String]
  private let group: Group
  /// The child's descriptor 1; nil means /dev/null.
  private let output: Int32?
  /// Whether the child shares our standard error; otherwise its errors go to /dev/null.
  private let sharesErrors: Bool

  package init(
    _ program: String, _ arguments: [String], environment: [String: String], group: Group, output: Int32? = nil, sharesErrors: Bool = false
  ) {
    (self.program, self.arguments, self.environment) = (program, arguments, environment)
    (self.group, self.output, self.sharesErrors) = (group, output, sharesErrors)
  }

  /// Starts the child with default signal handling. The caller must wait for the child.
  package func start() throws(Fault) -> pid_t {
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
    try check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0))
    if output == nil { try check(posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)) }
    if !sharesErrors { try check(posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)) }
    // Our descriptors are close-on-exec, but the parent process may have left others open.
    #if canImport(Glibc)
      try check(cplatform_close_from(&actions, 3))
    #else
      if sharesErrors { try check(posix_spawn_file_actions_addinherit_np(&actions, 2)) }
    #endif
    // The process blocks signals and ignores SIGPIPE. The child would inherit both.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    try check(posix_spawnattr_setsigmask(&attributes, &none))
    try check(posix_spawnattr_setsigdefault(&attributes, &all))
    try check(posix_spawnattr_setpgroup(&attributes, 0))
    try check(posix_spawnattr_setflags(&attributes, flags))
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var child: pid_t = 0
    try check(posix_spawn(&child, program, &actions, &attributes, words, variables))
    return child
  }

  private func check(_ code: Int32) throws(Fault) { guard code == 0 else { throw Fault(code: code) } }

  private var flags: Int16 {
    #if canImport(Glibc)
      // POSIX_SPAWN_SETPGROUP, POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK and POSIX_SPAWN_SETSID of <spawn.h>. The module doesn't export the last.
      Int16(0x04 | 0x08 | (group == .session ? 0x80 : 0x02))
    #else
      Int16(
        POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
          | (group == .session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP))
    #endif
  }
}
