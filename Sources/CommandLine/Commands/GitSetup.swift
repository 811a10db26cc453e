import Methods
import OAuthCore
import Platform

/// Makes Git ask this program for a host's credential (git-credential(1)). What others have set stays as it is.
struct GitSetup {
  /// The status of `git config` if there is no such value.
  private static let isMissing: Set<Int32> = [1, 5]
  /// Matches the helpers that this command has set, as a regular expression of Git.
  private static let ours = "^!.*oauth-stdio.* git-credential$"

  /// The options of this process, which the helper needs, too.
  private let arguments: [String]
  private let log: Log

  init(arguments: [String], _ log: Log) { (self.arguments, self.log) = (arguments, log) }

  func add(_ host: String) throws(Options.Fault) {
    let key = Self.key(host)
    let program = SetupCommand.foundPath == nil ? SetupCommand.ownPath : SetupCommand.helper
    let helper = "!" + ([program] + arguments + ["git-credential"]).map(ShellWord.quoted).joined(separator: " ")
    let present = try git(["--get-all", key])
    let others = present.filter { !$0.isEmpty && !Self.isOurs($0) }
    guard others.isEmpty else {
      throw Options.Fault(
        // What follows the program's name may be a secret.
        "Git asks \(others.map { String($0.prefix { $0 != " " }).plain }.joined(separator: ", ")) for https://\(host). To replace it, first run: "
          + "git config --global --unset-all \(key)")
    }
    if present.contains(where: Self.isOurs) {
      try git(["--replace-all", key, helper, Self.ours])
    } else {
      // The empty value ends the list of the helpers for all hosts, which would store the token.
      if present.isEmpty { try git(["--add", key, ""]) }
      try git(["--add", key, helper])
    }
    log.line("Git now asks oauth-stdio for https://\(host).")
  }

  /// The hosts for which Git asks this program.
  func hosts() throws(Options.Fault) -> [String] {
    let (start, end) = ("credential.https://", ".helper")
    return try git(["--get-regexp", #"^credential\.https://.*\.helper$"#]).compactMap { line in
      let key = line.prefix { $0 != " " }
      guard Self.isOurs(String(line.dropFirst(key.count + 1))), key.hasPrefix(start), key.hasSuffix(end) else { return nil }
      return String(key.dropFirst(start.count).dropLast(end.count))
    }
  }

  func remove(_ host: String) throws(Options.Fault) {
    let key = Self.key(host)
    guard try git(["--get-all", key]).contains(where: Self.isOurs) else {
      return log.line("Git does not ask oauth-stdio for https://\(host).")
    }
    try git(["--unset-all", key, Self.ours])
    if try git(["--get-all", key]).allSatisfy(\.isEmpty) { try git(["--unset-all", key]) }
    // Git leaves a file without a byte where it removes the last setting.
    let settings = (ProcessEnvironment.variable("HOME") ?? "") + "/.gitconfig"
    var status = stat()
    if lstat(settings, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { unlink(settings) }
    log.line("Git no longer asks oauth-stdio for https://\(host).")
  }

  private static func key(_ host: String) -> String { "credential.https://\(host).helper" }

  private static func isOurs(_ helper: String) -> Bool {
    helper.hasPrefix("!") && helper.contains(SetupCommand.helper) && helper.hasSuffix(" git-credential")
  }

  /// Runs `git config` on the user's own file. Returns the lines of its output.
  @discardableResult
  private func git(_ words: [String]) throws(Options.Fault) -> [String] {
    do throws(CommandOutput.Fault) {
      let output = try CommandOutput.run(["git", "config", "--global"] + words, ProcessEnvironment.variables, .system)
      var lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      lines.removeLast()
      return lines
    } catch {
      if let status = error.status, Self.isMissing.contains(status), words[0] != "--add", words[0] != "--replace-all" { return [] }
      throw Options.Fault("git config failed: \(error.reason)")
    }
  }
}
