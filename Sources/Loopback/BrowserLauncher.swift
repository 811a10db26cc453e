import OAuthCore
import Platform

/// Shows pages to the user.
package protocol Browser: Sendable {
  /// Whether a browser could be started: by the command, if there is one. Costs a few look-ups in the file system.
  func isAvailable(by command: [String]?) -> Bool

  /// Opens the page. Returns nil without a browser, else a promise that is settled only if none could be started.
  func open(_ url: String, by command: [String]?) -> Promise<Void>?
}

/// Opens the authorization page in the user's browser, without a shell and without waiting for the browser.
package struct BrowserLauncher: Browser {
  private let environment: [String: String]
  private let childEnvironment: (@Sendable () -> [String: String])?
  private let log: (any LogSink)?

  /// `environment` decides which programs are available. `childEnvironment` is that of the browser, and may block.
  package init(environment: [String: String], childEnvironment: (@Sendable () -> [String: String])? = nil, log: (any LogSink)? = nil) {
    (self.environment, self.childEnvironment, self.log) = (environment, childEnvironment, log)
  }

  package func isAvailable(by command: [String]? = nil) -> Bool {
    commands(command).contains { $0.program(in: environment["PATH"]) != nil }
  }

  /// Tries the commands in order, on a separate thread, until one doesn't fail immediately.
  package func open(_ url: String, by command: [String]? = nil) -> Promise<Void>? {
    guard let url = Self.safe(url) else { return nil }
    let attempts = commands(command).compactMap { command in
      command.program(in: environment["PATH"]).map { (program: $0, arguments: command.arguments(for: url)) }
    }
    guard !attempts.isEmpty else { return nil }
    let failure = Promise<Void>()
    // 512 KiB of stack: the thread reads the configuration and then waits, for hours if the browser runs in the foreground.
    let code = Thread.start(stackSize: 512 << 10) {
      let environment = childEnvironment?() ?? environment
      let isOpen = attempts.contains { attempt in
        let child = ChildProcess(attempt.program, attempt.arguments, environment: environment, group: .session)
        guard let reason = failureReason(of: child) else { return true }
        log?.take(.init(.warning, "the browser command \(attempt.program) failed: \(reason)"))
        return false
      }
      if !isOpen { failure.settle(.success(())) }
    }
    return code == 0 ? failure : nil
  }

  /// A command that fails within this time has shown no page. A slow machine needs seconds to find that it has no browser.
  private static let failureWindowMilliseconds = 10_000

  /// Runs a command and waits for its end, so that the child does not stay a zombie. Returns why it failed, or nil if it may have shown the page.
  private func failureReason(of child: ChildProcess) -> String? {
    let begin = Clock.system.uptime()
    var status: Int32 = 0
    do throws(Descriptors.Fault) {
      let process = try child.start()
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    } catch {
      return error.reason
    }
    guard status != 0, Clock.system.uptime() - begin < Self.failureWindowMilliseconds else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? "it ended with status \((status >> 8) & 0xFF)" : "signal \(signal) ended it"
  }

  /// Returns the URL in a form that is safe as an argument; nil for other schemes and for characters that a script could misread.
  /// The address may come from an unvetted provider. `sh -c '… "%s"'` or the PowerShell behind wslview would run `$(…)` in it.
  package static func safe(_ url: String) -> String? {
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

  private func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }

  /// In order of preference: the given command alone, `$BROWSER`, the system's. `$BROWSER` without a command means that the user wants no browser.
  func commands(_ command: [String]? = nil) -> [Command] {
    if let command { return [Command(words: command)] }
    guard let browser = environment["BROWSER"] else { return openers }
    let listed = Command.list(browser)
    return listed.isEmpty ? [] : listed + openers.filter { !listed.contains($0) }
  }

  /// The system's own commands. On WSL, those of Windows come first: xdg-open is often missing there, or has no Linux browser to open.
  private var openers: [Command] {
    #if canImport(Darwin)
      return [Command(words: ["/usr/bin/open"])]
    #else
      let (desktop, windows) = (Command(words: ["xdg-open"]), Command(words: ["wslview"]))
      if has("WSL_DISTRO_NAME") || has("WSL_INTEROP") {
        // Windows's own command. Its URL is one argument and reaches no shell.
        return [windows, Command(words: ["rundll32.exe", "url.dll,FileProtocolHandler"]), desktop]
      }
      // Without a display xdg-open starts a text browser, which has no terminal here. wslview exists only on WSL, whatever is set.
      return has("DISPLAY") || has("WAYLAND_DISPLAY") ? [desktop, windows] : [windows]
    #endif
  }
}

extension BrowserLauncher {
  /// A program and its arguments that open a page.
  struct Command: Equatable, Sendable {
    /// The program, then its arguments. `%s` in an argument is the place of the URL.
    let words: [String]

    /// Returns the command with the URL in place of `%s`, or as an additional argument without `%s`. The URL is always within one argument.
    func arguments(for url: String) -> [String] {
      guard words.contains(where: { $0.contains("%s") }) else { return words + [url] }
      return words.map { $0.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: url) }
    }

    /// Parses `$BROWSER` as xdg-open does: colons separate commands, and blanks separate words.
    static func list(_ text: String) -> [Command] {
      text.split(separator: ":").compactMap { command in
        var words = command.split { $0 == " " || $0 == "\t" }.map(String.init)
        // `firefox %s &` is written for a shell. The process never waits for a browser anyway.
        if words.last == "&" { words.removeLast() }
        return words.isEmpty ? nil : Command(words: words)
      }
    }

    /// Returns the path of the program's file; nil if there is no executable file.
    func program(in path: String?) -> String? { words.first.flatMap { ProgramFile.find($0, in: path) } }
  }
}
