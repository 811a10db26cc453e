import JSONRPC
import Methods
import Platform

extension MCPServer {
  /// Runs the words after `mcp`: its own and those of the process, which hosts put at the end of a command. Returns the exit status.
  static func run(
    _ words: [String], _ options: Options, _ log: Log, _ streams: StandardStreams
  ) throws(Options.Fault) -> Int32 {
    let own = ["--allow-writes", "--allow-tokens"]
    var options = try Options(options.arguments + words.filter { !own.contains($0) } + ["mcp"])
    guard case .command(["mcp"]) = options.action else {
      throw Options.Fault("mcp takes options and their values only, such as --allow-writes or --accounts NAME")
    }
    // A model reads what pages and mails tell it to do, so the client may do the least unless its user wants more.
    if !words.contains("--allow-writes") { options.limits.readOnly = true }
    if !words.contains("--allow-tokens") { options.limits.noTokens = true }
    options.servesMCP = true
    let calls = MCPServer.Calls(Output(descriptor: streams.output, pinned: .lines))
    let notifier = Notifier(output: calls.output, choice: .all, show: calls.notify)
    guard let session = CommandSession(options, log, streams, notifier: notifier) else { return 2 }
    let fault = MCPServer(calls, session, streams).serve()
    if let fault { log.line("oauth-stdio: standard input cannot be read: \(String(cString: strerror(fault)).lowercased())") }
    // No answer is expected any more. A running token exchange still finishes.
    session.shutdown.endAtOnce(status: fault == nil ? 0 : 1)
    return 0
  }
}
