#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Opens the sign-in page in the user's browser, without a shell and without ever waiting for it.
package struct BrowserLauncher: Sendable {
  private let environment: [String: String]
  private let childEnvironment: @Sendable () -> [String: String]
  private let coreLimit: CoreLimit
  private let remark: @Sendable (Remark) -> Void

  /// `environment` decides which programs there are; a browser is started with `childEnvironment` and with the limit that we found.
  package init(
    environment: [String: String], childEnvironment: (@Sendable () -> [String: String])? = nil, coreLimit: CoreLimit = .untouched,
    remark: @escaping @Sendable (Remark) -> Void = { _ in }
  ) {
    self.environment = environment
    self.childEnvironment = childEnvironment ?? { environment }
    self.coreLimit = coreLimit
    self.remark = remark
  }

  /// Whether there is a program to try; a few look-ups in the file system.
  package var isAvailable: Bool { commands.contains { $0.program(in: environment["PATH"]) != nil } }

  /// Tries the commands in their order, on a thread of its own, until one doesn't fail at once.
  ///
  /// The promise is settled when all have failed, and only then. nil where there is no program to try.
  package func open(_ url: String) -> Promise<Void>? {
    guard let url = Self.safe(url) else { return nil }
    let attempts = commands.compactMap { command in
      command.program(in: environment["PATH"]).map { BrowserAttempts.Attempt(program: $0, arguments: command.arguments(for: url)) }
    }
    guard !attempts.isEmpty else { return nil }
    let failure = Promise<Void>()
    let work = BrowserAttempts(attempts, environment: childEnvironment, coreLimit: coreLimit, remark: remark, failure: failure)
    return work.start() ? failure : nil
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

  private func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }

  /// In order of preference. `$BROWSER` without a command in it means that the user wants none.
  var commands: [BrowserCommand] {
    guard let browser = environment["BROWSER"] else { return openers }
    let listed = BrowserCommand.list(browser)
    return listed.isEmpty ? [] : listed + openers.filter { !listed.contains($0) }
  }

  /// The system's own. On WSL wslview comes first: xdg-open there is often missing, or without a Linux browser to open.
  private var openers: [BrowserCommand] {
    #if canImport(Darwin)
      return [BrowserCommand(words: ["/usr/bin/open"])]
    #else
      let (desktop, windows) = (BrowserCommand(words: ["xdg-open"]), BrowserCommand(words: ["wslview"]))
      if has("WSL_DISTRO_NAME") || has("WSL_INTEROP") { return [windows, desktop] }
      // Without a display xdg-open starts a text browser, which has no terminal here. wslview exists on WSL only, whatever is set.
      return has("DISPLAY") || has("WAYLAND_DISPLAY") ? [desktop, windows] : [windows]
    #endif
  }
}
