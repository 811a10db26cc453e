import JSONRPC
import Jansson
import Methods
import OAuthCore
import Plans
import Platform
import Synchronization

/// Serves the Model Context Protocol on standard input and output: the methods are its tools.
///
/// It supports the versions that begin with `initialize`, and the one whose requests carry their version themselves (2026-07-28).
final class MCPServer: Sendable {
  private static let versions = JSON.array(([MCPVersion.stateless] + MCPVersion.handshakes).map { .string($0) })
  private static let versionKey = "io.modelcontextprotocol/protocolVersion"

  /// What a model is told of the tools, and what it does if a sign-in is required.
  private var instructions: JSON.Member {
    let signIn =
      limits.isReadOnly
      ? "If a sign-in is required, ask the user to run this in a terminal: \(session.placedProgram) login ACCOUNT"
      : "If a sign-in is required, show the user the page that authorize returns, and wait with awaitSignIn."
    let text = "Calls APIs with the user's accounts. The tool accounts lists them. callAPI sends a request with an account's token. "
    return .init("instructions", .string(text + signIn))
  }

  /// The running calls, whose events reach the client as progress.
  final class Calls: Sendable {
    let output: Output
    /// The client's token for progress, and the progress so far, by the call's id.
    fileprivate let progress = Mutex<[Request.ID: (token: JSON, last: Int)]>([:])

    init(_ output: Output) { self.output = output }
  }

  private let calls: Calls
  private let session: CommandSession
  private var limits: Limits { session.limits }

  init(_ calls: Calls, _ session: CommandSession) { (self.calls, self.session) = (calls, session) }

  /// Runs the words after `mcp`: its own and those of the process, which hosts put at the end of a command. Returns the exit status.
  static func run(_ words: [String], _ options: Options, _ log: Log, _ streams: StandardStreams) throws(Options.Fault) -> Int32 {
    var options = try Self.options(words, options)
    // A model reads what pages and mails tell it to do, so the client may do the least unless its user wants more.
    if !words.contains("--allow-writes") { options.limits.readOnly = true }
    if !words.contains("--allow-tokens") { options.limits.noTokens = true }
    options.servesMCP = true
    let calls = Calls(Output(descriptor: streams.output, pinned: .lines))
    let notifier = Notifier(output: calls.output, choice: .all, show: calls.notify)
    guard let session = CommandSession(options, log, streams, notifier: notifier) else { return 2 }
    let status = MCPServer(calls, session).serve(streams, log)
    // No answer is expected any more. A running token exchange still finishes.
    session.shutdown.endAtOnce(status: status)
  }

  /// Returns the options of the process and those among the words after `mcp`.
  static func options(_ words: [String], _ options: Options) throws(Options.Fault) -> Options {
    let all = try Options(options.arguments + words.filter { !["--allow-writes", "--allow-tokens"].contains($0) } + ["mcp"])
    if case .command(["mcp"]) = all.action { return all }
    throw Options.Fault("mcp takes options and their values only, such as --allow-writes or --accounts NAME")
  }

  /// Reads messages until the end of input. Returns the exit status.
  func serve(_ streams: StandardStreams, _ log: Log) -> Int32 {
    streams.feed(FrameDecoder(pinned: .lines), log) { frame in
      switch frame {
      case .message(let bytes, _): receive(bytes)
      default: fail(.null, -32700, "the line is not a message")
      }
    } afterFrames: {
      calls.output.waitForReader()
    }
  }

  private func receive(_ bytes: [UInt8]) {
    guard let message = try? JSON.parse(bytes) else { return fail(.null, -32700, "the message is not valid JSON") }
    guard let method = message["method"]?.string else {
      // The server sends no requests, so an answer belongs to none.
      guard message["result"] == nil, message["error"] == nil else { return }
      return fail(.null, -32600, "the message is not a request")
    }
    let params = message["params"] ?? .object([])
    guard let given = message["id"] else {
      guard method == "notifications/cancelled", let id = params["requestId"].flatMap(Self.id) else { return }
      calls.progress.withLock { $0[id] = nil }
      return session.cancel(id)
    }
    guard let id = Self.id(given) else { return fail(.null, -32600, "the id must be text or an integer") }
    let version = params["_meta"]?[Self.versionKey]?.string
    if let version, version != MCPVersion.stateless, !MCPVersion.handshakes.contains(version) {
      return fail(id, -32022, "the version is not supported", ["supported": Self.versions, "requested": .string(version)])
    }
    let answer = { @Sendable [self] (members: [JSON.Member], isCacheable: Bool) in
      self.answer(id, members, isStateless: version == MCPVersion.stateless, isCacheable: isCacheable)
    }
    switch method {
    case "initialize":
      let asked = params["protocolVersion"]?.string ?? ""
      let chosen = MCPVersion.handshakes.contains(asked) ? asked : MCPVersion.handshake
      answer([.init("protocolVersion", .string(chosen)), Self.capabilities, .init("serverInfo", Self.info), instructions], false)
    case "server/discover": answer([.init("supportedVersions", Self.versions), Self.capabilities, instructions], true)
    case "ping": answer([], false)
    case "tools/list":
      // Describing never throws; a test lists every tool.
      answer([.init("tools", .array(MCPTool.all(limits).compactMap { try? MCPTool.description($0, limits) }))], true)
    case "tools/call": call(id, params, answer)
    default: fail(id, RPCError.methodNotFoundCode, "the method \(method.plain) is not known")
    }
  }

  /// Some clients write whole numbers as 1.0.
  private static func id(_ json: JSON) -> Request.ID? {
    if case .real(let number) = json { Int(exactly: number).map(Request.ID.integer) } else { Request.ID(json) }
  }

  private static let capabilities = JSON.Member("capabilities", ["tools": ["listChanged": false]])
  private static let info: JSON = ["name": "oauth-stdio", "title": "OAuth", "version": .string(Version.current)]

  // MARK: Calls

  private func call(
    _ id: Request.ID, _ params: JSON, _ answer: @escaping @Sendable (_ members: [JSON.Member], _ isCacheable: Bool) -> Void
  ) {
    let name = params["name"]?.string ?? ""
    guard let tool = MCPTool.all(limits).first(where: { $0.name == name }) else {
      return fail(id, RPCError.invalidParamsCode, "there is no tool \(name.plain)")
    }
    let given = params["arguments"] ?? .object([])
    guard let members = given.members else { return fail(id, RPCError.invalidParamsCode, "the arguments must be an object") }
    calls.progress.withLock { progress in
      if let token = params["_meta"]?["progressToken"], progress[id] == nil { progress[id] = (token, 0) }
    }
    session.send(name, MCPTool.arguments(members, for: tool), as: id) { [self] result in
      // The other call with this id has the progress.
      if case .error(let error) = result, error.shown == .idIsOpen { return fail(id, error.shown.code, error.shown.message) }
      calls.progress.withLock { $0[id] = nil }
      switch result {
      case .result(let text):
        let content = JSON.Member("content", Self.text(String(decoding: text, as: UTF8.self)))
        // Each result is an object. Hosts of the versions before 2025-06-18 read the text.
        answer([content, .init("structuredContent", .verbatim(text)), .init("isError", false)], false)
      case .error(let error):
        let fail = { @Sendable (question: String) in
          answer([.init("content", Self.text(self.message(error, question))), .init("isError", true)], false)
        }
        let isMissing = error["reason"]?.string == OAuthFailure.Reason.noGrant.rawValue
        guard isMissing, let account = error["account"]?.string else { return fail("") }
        // The account may be misspelled.
        session.send(Methods.accounts, [], as: id) { listed in
          guard case .result(let text) = listed else { return fail("") }
          let known = (try? JSON.parse(text))?["accounts"]?.array?.compactMap { $0["account"]?.string } ?? []
          fail(known.contains(account) ? "" : Suggestion.question(account, among: known))
        }
      }
    }
  }

  private static func text(_ text: String) -> JSON { [["type": "text", "text": .string(text)]] }

  /// Returns the error's message with its kind, and with the service's answer if there is one.
  private func message(_ error: CommandSession.Failure, _ question: String) -> String {
    // The advised command must look for the account where this process does. For a misspelled account, none is advised.
    let said = error.failure.map { question.isEmpty ? $0.message(program: session.placedProgram) : $0.problem }
    var text = said?.plain ?? error.shown.message
    if let kind = error["kind"]?.string { text += " (\(kind))\(question)" }
    if let body = error["body"]?.string ?? error["json"]?.line { text += "\n\(body)" }
    return text
  }

  // MARK: Messages

  private func answer(_ id: Request.ID, _ members: [JSON.Member], isStateless: Bool, isCacheable: Bool) {
    var members = members
    if isStateless {
      members += [.init("resultType", "complete"), .init("_meta", ["io.modelcontextprotocol/serverInfo": Self.info])]
      if isCacheable { members += [.init("ttlMs", 0), .init("cacheScope", "private")] }
    }
    send(["jsonrpc": "2.0", "id": id.json, "result": .object(members)])
  }

  private func fail(_ id: Request.ID, _ code: Int, _ message: String, _ data: JSON? = nil) {
    send(["jsonrpc": "2.0", "id": id.json, "error": RPCError(code: code, message: message, data: data).json])
  }

  private func send(_ message: JSON) { calls.output.send(message.text) }
}

extension MCPServer.Calls {
  /// Notifies the client of an event of a call for which it wants progress.
  func notify(_ event: any Event) {
    switch event {
    case let event as ProgressWasMade:
      notify(event.request, event.sent + event.received, event.total, "\(event.received) bytes received, \(event.sent) sent")
    case let event as SignInWasRequested: notify(event.request, nil, nil, event.lines.joined(separator: " "))
    default: break
    }
  }

  private func notify(_ request: JSON?, _ progress: Int?, _ total: Int?, _ message: String) {
    let found = self.progress.withLock { running -> (token: JSON, last: Int)? in
      guard let id = request.flatMap(Request.ID.init), let previous = running[id] else { return nil }
      // The progress must grow with each message.
      running[id] = (previous.token, max(previous.last + 1, progress ?? 0))
      return running[id]
    }
    guard let found else { return }
    let params: JSON = [
      "progressToken": found.token, "progress": .integer(found.last), "message": .string(message.plain), "total": total.map(JSON.integer),
    ]
    output.send((["jsonrpc": "2.0", "method": "notifications/progress", "params": params] as JSON).text)
  }
}
