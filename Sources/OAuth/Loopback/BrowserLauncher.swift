import OAuthCore
import Platform

/// Opens the authorization page in the user's browser, without a shell and without waiting for the browser.
package struct BrowserLauncher: Sendable {
  private let environment: [String: String]
  private let childEnvironment: @Sendable () -> [String: String]
  private let coreLimit: CoreDumpLimit
  private let log: @Sendable (LogMessage) -> Void

  /// `environment` decides which programs are available. A browser starts with `childEnvironment` and with the core limit that the process started
  /// with.
  package init(
    environment: [String: String], childEnvironment: (@Sendable () -> [String: String])? = nil, coreLimit: CoreDumpLimit = .untouched,
    log: @escaping @Sendable (LogMessage) -> Void = { _ in }
  ) {
    self.environment = environment
    self.childEnvironment = childEnvironment ?? { environment }
    self.coreLimit = coreLimit
    self.log = log
  }

  /// Whether there is a browser command to try. Costs a few look-ups in the file system.
  package var isAvailable: Bool { commands.contains { $0.program(in: environment["PATH"]) != nil } }

  /// Tries the commands in order, on a separate thread, until one doesn't fail immediately.
  ///
  /// The promise is settled only if all commands fail. Returns nil if there is no command to try.
  package func open(_ url: String) -> Promise<Void>? {
    guard let url = Self.safe(url) else { return nil }
    let attempts = commands.compactMap { command in
      command.program(in: environment["PATH"]).map { (program: $0, arguments: command.arguments(for: url)) }
    }
    guard !attempts.isEmpty else { return nil }
    let failure = Promise<Void>()
    // 512 KiB of stack: the thread reads the configuration and then waits, for hours if the browser runs in the foreground.
    let code = Thread.start(stackSize: 512 << 10) {
      let environment = childEnvironment()
      let isOpen = attempts.contains { attempt in
        let child = ChildProcess(attempt.program, attempt.arguments, environment: environment, group: .session)
        guard let reason = failureReason(of: child) else { return true }
        log(.browserFailed(program: attempt.program, reason: reason))
        return false
      }
      if !isOpen { failure.settle(.success(())) }
    }
    return code == 0 ? failure : nil
  }

  /// Milliseconds. A command that fails within this time has shown no page. A slow machine needs seconds to find that it has no browser.
  private static let soon: UInt64 = 10_000

  /// Runs a command and waits for its end, so that the child does not stay a zombie. Returns why it failed, or nil if it may have shown the page.
  private func failureReason(of child: ChildProcess) -> String? {
    let begin = loopbackNow()
    var status: Int32 = 0
    do throws(ChildProcess.Fault) {
      let process = try child.start(coreLimit)
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    } catch {
      return error.reason
    }
    guard status != 0, loopbackNow() - begin < Self.soon else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? "it ended with status \((status >> 8) & 0xFF)" : "signal \(signal) ended it"
  }

  /// Returns the URL in a form that is safe as an argument; nil for other schemes and for characters that a script could misread.
  /// The address may come from an unvetted provider. `sh -c '… "%s"'` or the PowerShell behind wslview would run `$(…)` in it.
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

  private func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }

  /// In order of preference. `$BROWSER` without a command means that the user wants no browser.
  var commands: [BrowserCommand] {
    guard let browser = environment["BROWSER"] else { return openers }
    let listed = BrowserCommand.list(browser)
    return listed.isEmpty ? [] : listed + openers.filter { !listed.contains($0) }
  }

  /// The system's own commands. On WSL wslview comes first: xdg-open is often missing there, or has no Linux browser to open.
  private var openers: [BrowserCommand] {
    #if canImport(Darwin)
      return [BrowserCommand(words: ["/usr/bin/open"])]
    #else
      let (desktop, windows) = (BrowserCommand(words: ["xdg-open"]), BrowserCommand(words: ["wslview"]))
      if has("WSL_DISTRO_NAME") || has("WSL_INTEROP") { return [windows, desktop] }
      // Without a display xdg-open starts a text browser, which has no terminal here. wslview exists only on WSL, whatever is set.
      return has("DISPLAY") || has("WAYLAND_DISPLAY") ? [desktop, windows] : [windows]
    #endif
  }
}
