import Bridge
import JSONRPC
import Jansson
import Methods
import OAuth
import OAuthCore
import Platform

/// `mcp URL`: joins an MCP host on standard input and output with a server of the network.
struct BridgeCommand {
  /// Checks, 100 ms apart, after which a host that reads nothing gets no more.
  private static let lastChecks = 3

  let url: URLParts
  let options: Options
  /// nil for the account of the URL.
  private var account: String?
  var accountName: String { account ?? Accounts.account(of: url) }
  private var headers: [HTTPHeader] = []
  private var tools: [String]?
  private var ignoredTools: [String] = []
  /// Seconds for which a list waits for the sign-in; nil for the usual time.
  private var listWait: Int?
  /// Members of the account's entry, for this process, and the authorization server that may have the client's secret.
  private var (entry, issuer) = ([JSON.Member](), String?.none)
  /// What a shell asks; nil for a host.
  private var question: BridgeShell.Question?

  /// Reads the words after `mcp`: its own and those of the process, which hosts put at the end of a command. Returns nil if no URL is among them.
  /// Without `fills`, variables stay as they are written, because the host has them and not this shell.
  init?(_ words: [String], _ options: Options, fills: Bool = true) throws(Options.Fault) {
    guard words.contains(where: { $0.contains("://") }) else {
      let isHost = words.first.map { !$0.hasPrefix("-") && $0.contains { "./:".contains($0) } } ?? false
      guard isHost || words.contains("--list") || words.contains("--call") else { return nil }
      throw Options.Fault("mcp needs the whole address of a server: mcp https://\(isHost ? words[0].plain : "HOST/PATH")")
    }
    let own = try OwnOptions(words, of: MCPCommand.self)
    let split = try own.split()
    var free = split.words
    guard let place = free.firstIndex(where: { $0.contains("://") && !$0.hasPrefix("{") }) else { return nil }
    let found = free.remove(at: place)
    if let tool = own["--call"].last {
      guard let arguments = try? JSON.parse(Array((free.isEmpty ? "{}" : free.removeFirst()).utf8)), arguments.members != nil else {
        throw Options.Fault("--call needs a tool and its arguments as a JSON object, such as --call search '{\"query\": \"x\"}'")
      }
      question = .call(tool, arguments)
    } else if !own["--list"].isEmpty {
      question = .list
    }
    for text in own["--header"] { headers += try Self.headers(text, "--header", fills) }
    if let id = own["--client-id"].last { entry.append(.init("clientId", .string(id))) }
    if let text = own["--client-secret"].last {
      let option = "--client-secret"
      // Each user of the machine sees the words.
      guard text.hasPrefix("@") || text.hasPrefix("${") else { throw Options.Fault("\(option) must be '${VARIABLE}' or @FILE") }
      let secret = try text.hasPrefix("@") ? CommandValue.content(text, option) : fills ? Self.filled(text, option) : text
      entry.append(.init("clientSecret", .string(secret)))
    }
    let scopes = own["--scopes"].flatMap { $0.split(separator: " ") }
    if !own["--scopes"].isEmpty { entry.append(.init("scopes", .array(scopes.map { .string(String($0)) }))) }
    (account, issuer) = (own["--account"].last, own["--provider"].last)
    (tools, ignoredTools) = (own["--allow-tool"].isEmpty ? nil : own["--allow-tool"], own["--ignore-tool"])
    listWait = try own["--wait"].last.map { text throws(Options.Fault) in
      guard let seconds = Int(text), (0...3600).contains(seconds) else {
        throw Options.Fault("--wait needs a number of seconds, such as 25")
      }
      return seconds
    }
    if let option = ["--allow-writes", "--allow-tokens"].first(where: { !own[$0].isEmpty }) {
      throw Options.Fault("\(option) is for mcp without a URL: it limits the tools of oauth-stdio itself")
    }
    guard let url = try? URLParts(found) else { throw Options.Fault("\(found.plain) is not a URL") }
    var all = try Options(options.arguments + split.options + ["mcp"])
    // After an option that is unknown, which curl's -H is here: its word may be a credential.
    if let other = free.first { throw Options.Fault("mcp does not take \(other.plain)") }
    (all.servesMCP, all.namesOwnProviders) = (true, true)
    (self.url, self.options) = (url, all)
  }

  /// Reads `Name: value`, or the lines of a file.
  private static func headers(_ text: String, _ option: String, _ fills: Bool) throws(Options.Fault) -> [HTTPHeader] {
    let lines = try CommandValue.content(text, option).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
    return try lines.map { line throws(Options.Fault) in
      guard let colon = line.firstIndex(of: ":"), HTTPRequest.isToken(String(line[..<colon])) else {
        throw Options.Fault("\(option) must be 'NAME: VALUE'")
      }
      let value = String(line[line.index(after: colon)...].drop { $0 == " " })
      return HTTPHeader(String(line[..<colon]), fills ? try filled(value, option) : value)
    }
  }

  /// Returns the text with the variables of the environment for which `${NAME}` stands.
  private static func filled(_ text: String, _ option: String) throws(Options.Fault) -> String {
    var (value, rest) = ("", text[...])
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      let name = String(rest[start.upperBound..<end])
      guard let found = ProcessEnvironment.variable(name) else {
        throw Options.Fault("\(option) needs the variable \(name.plain), which is not set")
      }
      value += rest[..<start.lowerBound] + found
      rest = rest[rest.index(after: end)...]
    }
    return value + rest
  }

  /// Serves the host until the end of its messages. Returns the exit status.
  func run(_ streams: StandardStreams) throws(Options.Fault) -> Int32 {
    // A shell says itself what failed.
    let log = Log(level: options.logLevel ?? (question == nil ? .warning : .error), file: options.logFile)
    let output = Output(descriptor: streams.output, pinned: .lines)
    guard let session = CommandSession(options, log, streams, notifier: Notifier(output: output, choice: .none)) else { return 2 }
    let service = session.service
    if let problem = Provider.problem(ofEndpoint: url.description) { throw Options.Fault("the URL \(problem)") }
    // A profile of the configuration may set these, too.
    if service.limits.isReadOnly { throw Options.Fault("mcp URL does not run with --read-only: it cannot tell which tools only read") }
    if service.limits.methods != nil { throw Options.Fault("mcp URL does not run with --allow, which is about methods: use --allow-tool") }
    let account = accountName
    do throws(OAuthFailure) {
      try service.limits.check(account: account)
      try service.limits.check(call: "POST", to: url)
    } catch {
      throw Options.Fault(error.message)
    }
    // A server's metadata alone name no other server that may have the secret.
    let provider = JSON.Member("provider", ["discovery": .string(url.description), "issuer": .string(issuer ?? url.origin)])
    let isFixed = issuer != nil || entry.contains { $0.name == "clientSecret" }
    if isFixed || !entry.isEmpty { try session.configure(account, by: entry + (isFixed ? [provider] : [])) }
    let shell = question.map { BridgeShell($0, log: log, streams: streams) }
    var setup = Bridge.Setup(url: url, account: account, accounts: service.accounts, limits: service.limits, log: log) { message in
      if let shell { shell.receive(message) } else { output.send(message) }
    }
    (setup.headers, setup.tools, setup.ignoredTools, setup.hasRoom) = (headers, tools, ignoredTools, { !output.isFull })
    // A shell is told the address at once, and asks again.
    setup.listWait = shell == nil ? listWait ?? setup.listWait : 0
    let bridge = Bridge(setup)
    service.shutdown.begin {
      await bridge.end(isUrgent: true)
      output.flush(checks: Self.lastChecks) { true }
      streams.closeOutput()
    }
    service.shutdown.endAtOnce(status: shell.map { $0.run(bridge) } ?? serve(bridge, streams, output, log))
  }

  /// Hands what the host sends to the bridge. Returns the exit status.
  private func serve(_ bridge: Bridge, _ streams: StandardStreams, _ output: Output, _ log: Log) -> Int32 {
    let status = streams.feed(FrameDecoder(pinned: .lines), log) { frame in
      switch frame {
      case .message(let bytes, _): bridge.receive(bytes)
      case .fault(let error, _): bridge.refuse(error.message)
      }
    } afterFrames: {
      // The end of the input must be noticed although the host does not read. Its server's answers wait instead.
    }
    CommandSession.waiting { await bridge.end(isUrgent: false) }
    return status
  }
}
