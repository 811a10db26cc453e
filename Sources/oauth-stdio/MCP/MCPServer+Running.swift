import JSONRPC
import OAuth
import Platform
import Synchronization

extension MCPServer {
  /// Runs the words after `mcp`. Returns the exit status.
  static func run(
    _ words: [String], _ options: Options, _ log: Log, _ streams: StandardStreams, start: @escaping CommandSession.Start
  ) throws(Options.Fault) -> Int32 {
    var options = options
    for word in words where !["--allow-writes", "--allow-tokens"].contains(word) {
      throw Options.Fault("mcp does not take the word \(word.plain)")
    }
    // A model reads what pages and mails tell it to do, so the client may do the least unless its user wants more.
    if !words.contains("--allow-writes") { options.limits.readOnly = true }
    if !words.contains("--allow-tokens") { options.limits.noTokens = true }
    options.servesMCP = true
    // The server needs the session that sends it events.
    let server = Mutex<MCPServer?>(nil)
    let session = CommandSession(options, log, start: start, output: streams.output) { output in
      Notifier(output: output, choice: .all) { event in server.withLock { $0 }?.notify(event) }
    }
    guard let session else { return 2 }
    let running = MCPServer(session, streams)
    server.withLock { $0 = running }
    let fault = running.serve()
    if let fault { log.line("oauth-stdio: standard input cannot be read: \(String(cString: strerror(fault)).lowercased())") }
    // No answer is expected any more. A running token exchange still finishes.
    session.shutdown.now(status: fault == nil ? 0 : 1)
    return 0
  }
}
