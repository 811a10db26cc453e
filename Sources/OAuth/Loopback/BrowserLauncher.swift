#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Opens the sign-in page in the user's browser, without a shell and without ever waiting for it.
package struct BrowserLauncher: Sendable {
  private let environment: [String: String]
  private let coreLimit: CoreLimit

  /// `environment` decides what is there and is handed to the browser, as is the limit that we found.
  package init(environment: [String: String], coreLimit: CoreLimit = .untouched) {
    self.environment = environment
    self.coreLimit = coreLimit
  }

  /// Whether there is a program to try; a few look-ups in the file system.
  package var isAvailable: Bool { commands.contains { $0.program(in: path) != nil } }

  /// False where no program could be started; whether a window then comes up nobody can tell, so the URL is always told besides.
  package func open(_ url: String) -> Bool {
    guard let url = Self.safe(url) else { return false }
    return commands.contains { command in
      guard let program = command.program(in: path) else { return false }
      return spawn(program, command.arguments(for: url))
    }
  }

  /// Only pages of the web, and nothing that a script among the openers could take for an option or for its own syntax: the address
  /// may come from a provider that nobody has vetted, and `sh -c '… "%s"'` or the PowerShell behind wslview would run `$(…)` in it.
  static func safe(_ url: String) -> String? {
    let start = url.prefix("https://".count).lowercased()
    guard start == "https://" || start.hasPrefix("http://") else { return nil }
    var safe = ""
    for scalar in url.unicodeScalars {
      switch scalar {
      case "\u{0}"..."\u{20}", "\u{7F}"..."\u{A0}", "\"", "<", ">", "\\", "`": return nil
      case "$": safe += "%24"
      case "'": safe += "%27"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// What POSIX says of a system without PATH is left open; these are where the openers are installed.
  private var path: String { environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" }

  private func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }

  /// In order of preference. On WSL wslview comes first: xdg-open there is often missing, or without a Linux browser to open.
  var commands: [BrowserCommand] {
    if let browser = environment["BROWSER"] {
      let listed = BrowserCommand.list(browser)
      if !listed.isEmpty { return listed }
    }
    #if canImport(Darwin)
      return [BrowserCommand(words: ["/usr/bin/open"])]
    #else
      let (desktop, windows) = (BrowserCommand(words: ["xdg-open"]), BrowserCommand(words: ["wslview"]))
      if has("WSL_DISTRO_NAME") || has("WSL_INTEROP") { return [windows, desktop] }
      // Without a display xdg-open starts a text browser, which has no terminal here. wslview exists on WSL only, whatever is set.
      return has("DISPLAY") || has("WAYLAND_DISPLAY") ? [desktop, windows] : [windows]
    #endif
  }

  private func spawn(_ program: String, _ arguments: [String]) -> Bool {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    guard posix_spawn_file_actions_init(&actions) == 0 else { return false }
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard posix_spawnattr_init(&attributes) == 0 else { return false }
    defer { posix_spawnattr_destroy(&attributes) }
    // Our stdin and stdout are the protocol: a word printed there by a browser would break it.
    let streams = [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)]
    let opened = streams.map { posix_spawn_file_actions_addopen(&actions, $0.0, "/dev/null", $0.1, 0) }
    // We block signals and ignore SIGPIPE; both would be inherited.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    let set = [
      posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setsigdefault(&attributes, &all),
      posix_spawnattr_setflags(&attributes, Self.flags),
    ]
    guard (opened + set).allSatisfy({ $0 == 0 }) else { return false }
    var pid = pid_t()
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    let result = coreLimit.lifted { posix_spawn(&pid, program, &actions, &attributes, words, variables) }
    guard result == 0 else { return false }
    reap(pid)
    return true
  }

  /// A session of its own, so that neither the terminal's nor our group's signals reach the browser.
  private static var flags: Int16 {
    #if canImport(Glibc)
      // POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK and, which the module leaves out, POSIX_SPAWN_SETSID of <spawn.h>.
      Int16(0x04 | 0x08 | 0x80)
    #else
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
  }

  /// Leaves no zombie: a small thread waits for the child, which may be a browser that runs for hours.
  private func reap(_ pid: pid_t) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // waitpid needs next to nothing; 128 KiB is above every system's least size with its thread-local data.
    pthread_attr_setstacksize(&attributes, 128 * 1024)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    _ = pthread_create(&thread, &attributes, browserReaperMain, UnsafeMutableRawPointer(bitPattern: Int(pid)))
  }
}

#if canImport(Glibc)
  private func browserReaperMain(_ pid: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    waitForBrowser(pid_t(Int(bitPattern: pid)))
    return nil
  }
#else
  private func browserReaperMain(_ pid: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    waitForBrowser(pid_t(Int(bitPattern: pid)))
    return nil
  }
#endif

private func waitForBrowser(_ pid: pid_t) {
  // A signal handled on this thread would be kept from the main thread.
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_BLOCK, &all, nil)
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
}
