import CSpawn

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program to start: it inherits descriptors 0 to 2 and the environment given here, and nothing else of this process.
package struct ChildProcess {
  /// Whose signals reach the child.
  package enum Group {
    /// A group of its own, which can be killed with all that the child starts.
    case own
    /// A session of its own, which neither a terminal's nor our group's signals reach.
    case session
  }

  /// Why it could not be started, as an error number.
  package struct Fault: Error {
    package let code: Int32
    package static let notFound = Fault(code: ENOENT)
    package var reason: String { Descriptors.reason(code) }
  }

  /// The program's path, which is not searched for.
  private let program: String
  private let arguments: [String]
  private let environment: [String: String]
  private let group: Group
  /// What becomes descriptor 1; nil is /dev/null.
  private let output: Int32?
  /// Whether it writes its errors where we write ours; otherwise to /dev/null.
  private let sharesErrors: Bool

  package init(
    _ program: String, _ arguments: [String], environment: [String: String], group: Group, output: Int32? = nil, sharesErrors: Bool = false
  ) {
    (self.program, self.arguments, self.environment) = (program, arguments, environment)
    (self.group, self.output, self.sharesErrors) = (group, output, sharesErrors)
  }

  /// Starts it with the default signals and with the limit of core dumps that we found; the caller waits for its end.
  package func start(_ coreLimit: CoreLimit) throws(Fault) -> pid_t {
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
    // The output comes first: with our own descriptor 0 closed it may have that number.
    if let output { try check(posix_spawn_file_actions_adddup2(&actions, output, 1)) }
    try check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0))
    if output == nil { try check(posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)) }
    if !sharesErrors { try check(posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)) }
    // Ours are close-on-exec, but our parent may have left us others.
    #if canImport(Glibc)
      try check(cspawn_close_from(&actions, 3))
    #else
      if sharesErrors { try check(posix_spawn_file_actions_addinherit_np(&actions, 2)) }
    #endif
    // We block signals and ignore SIGPIPE; both would be inherited.
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
    try check(coreLimit.lifted { posix_spawn(&child, program, &actions, &attributes, words, variables) })
    return child
  }

  private func check(_ code: Int32) throws(Fault) {
    guard code == 0 else { throw Fault(code: code) }
  }

  private var flags: Int16 {
    #if canImport(Glibc)
      // POSIX_SPAWN_SETPGROUP, POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK and, which the module leaves out, POSIX_SPAWN_SETSID of <spawn.h>.
      Int16(0x04 | 0x08 | (group == .session ? 0x80 : 0x02))
    #else
      Int16(
        POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
          | (group == .session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP))
    #endif
  }
}
