import Jansson
import Methods
import OAuthCore
import Platform

/// Prints the lines by which an agent's host starts this program: as an MCP server, or for the headers or the token of the host's own requests.
///
/// `SetupLines.json` has each host's lines, with their sources. The host's files stay as they are: they contain what only the host can read.
enum AgentSetup {
  /// Runs the words after `setup`. Returns the exit status; nil if the first word names no host of the table.
  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32? {
    guard let host = words.first.flatMap({ SetupCommand.table[$0] }), let title = host["title"]?.string else { return nil }
    if words.contains("--remove") { throw Options.Fault("oauth-stdio writes nothing for \(title): remove the server or the line there") }
    let (isHook, rest) = (words.contains("--hook"), words.dropFirst().filter { $0 != "--hook" })
    let bridge = try BridgeCommand(rest, run.options, fills: false)
    let options = if let bridge { bridge.options } else { try MCPServer.options(rest, run.options) }
    guard bridge?.url.userInfo == nil else { throw Options.Fault("the URL must not contain a password: the lines would show it") }
    let others = rest.filter { $0 != "--account" && $0 != bridge?.accountName && !$0.contains("://") }
    guard !isHook || others.isEmpty else { throw Options.Fault("--hook takes only the URL of a server and --account NAME") }
    guard let block = host[!isHook ? "server" : bridge == nil ? "token" : "headers"] else {
      throw Options.Fault("\(title) has no hook for headers or a token")
    }
    guard let session = try SetupCommand.session(for: title, options, run) else { return ExitStatus.wrongUsage }
    let stored = session.accounts
    let account = bridge?.accountName ?? (stored.count == 1 ? stored[0] : "ACCOUNT")
    let url = bridge?.url.description ?? ""
    let asked = !isHook ? ["mcp"] + rest : bridge == nil ? ["token", account] : ["header", account, url, "--format", "json"]
    let command = [SetupCommand.programPath] + (try SetupCommand.portable(run.options.arguments + asked))
    let values = values(isHook || bridge != nil ? name(account) : SetupCommand.helper, command, url, session.program)
    // A value may have braces of its own.
    func filled(_ text: String) -> String {
      let parts = text.split(separator: "{", omittingEmptySubsequences: false)
      return parts.dropFirst().reduce(String(parts[0])) { done, part in
        let name = part.prefix { $0 != "}" }
        return done + (values[String(name)].map { $0 + part.dropFirst(name.count + 1) } ?? "{" + part)
      }
    }
    run.log.line(filled(block["note"]?.string ?? ""))
    if account == "ACCOUNT" { run.log.line("Replace ACCOUNT by the name of an account.") }
    run.log.flush()
    let lines = filled((block["lines"]?.array ?? []).compactMap(\.string).joined(separator: "\n"))
    let status = run.print((block["command"]?.string.map { filled($0) + " " + ShellWord.quoted(lines) } ?? lines) + "\n")
    session.shutdown.finishCalls(status: status)
  }

  /// Returns what stands in the table's braces. A string of JSON is one of TOML, too.
  private static func values(_ name: String, _ command: [String], _ url: String, _ program: String) -> [String: String] {
    let (shell, words) = (command.map(ShellWord.quoted).joined(separator: " "), JSON.array(command.dropFirst().map { .string($0) }))
    let entry: JSON = ["command": .string(command[0]), "args": words]
    return [
      "name": name, "program": JSON.string(command[0]).line, "words": words.line, "shell": shell, "shellString": JSON.string(shell).line,
      "url": JSON.string(url).line, "entry": entry.line, "link": PercentEncoding.encode(Base64.encode(entry.text)),
      "login": "\(program) login \(ShellWord.quoted(url))",
    ]
  }

  /// Returns a name that each host takes: Claude Code knows letters, digits and dashes, and Cursor hides tools whose names exceed 60 bytes with it.
  private static func name(_ account: String) -> String {
    let words = account.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.filter { $0 != "mcp" && $0 != "www" }
    return words.isEmpty ? "mcp" : String(words.joined(separator: "-").prefix(30))
  }
}
