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

  private let url: URLParts
  private let options: Options
  /// nil for the account of the URL.
  private var account: String?
  private var headers: [HTTPHeader] = []
  private var tools: [String]?
  private var ignoredTools: [String] = []
  /// Seconds for which a list waits for the sign-in; nil for the usual time.
  private var listWait: Int?
  /// What a shell asks; nil for a host.
  private var question: BridgeShell.Question?

  /// Reads the words after `mcp`: its own and those of the process, which hosts put at the end of a command. Returns nil if no URL is among them.
  init?(_ words: [String], _ options: Options) throws(Options.Fault) {
    guard words.contains(where: { $0.contains("://") }) else { return nil }
    var (rest, others, found, name) = (words[...], [String](), String?.none, String?.none)
    func value(_ option: String) throws(Options.Fault) -> String {
      guard let value = rest.popFirst(), !value.isEmpty else { throw Options.Fault("\(option) needs a value") }
      return value
    }
    while let word = rest.popFirst() {
      switch word {
      case "--account": name = try value(word)
      case "--header": headers.append(try Self.header(try value(word)))
      case "--allow-tool": tools = (tools ?? []) + [try value(word)]
      case "--ignore-tool": ignoredTools.append(try value(word))
      case "--wait":
        guard let seconds = Int(try value(word)), (0...3600).contains(seconds) else {
          throw Options.Fault("--wait needs a number of seconds, such as 25")
        }
        listWait = seconds
      case "--list": question = .list
      case "--call":
        let tool = try value(word)
        let text = rest.first?.hasPrefix("-") ?? true ? "{}" : try value(word)
        guard let arguments = try? JSON.parse(Array(text.utf8)), arguments.members != nil else {
          throw Options.Fault("--call needs a tool and its arguments as a JSON object, such as --call search '{\"query\": \"x\"}'")
        }
        question = .call(tool, arguments)
      case let option where option.hasPrefix("-"):
        others.append(option)
        let takesValue = ProcessOption.all.contains { if $0.name == option, case .one = $0.value { true } else { false } }
        if takesValue { others.append(try value(option)) }
      default:
        guard found == nil, word.contains("://") else { throw Options.Fault("mcp does not take \(word.plain)") }
        found = word
      }
    }
    guard let found else { return nil }
    if let problem = Provider.problem(ofEndpoint: found) { throw Options.Fault("the URL \(problem)") }
    guard let url = try? URLParts(found) else { throw Options.Fault("\(found.plain) is not a URL") }
    var all = try Options(options.arguments + others + ["mcp"])
    (all.servesMCP, all.namesOwnProviders) = (true, true)
    (self.url, self.options) = (url, all)
    account = name
  }

  /// Reads `Name: value`, in which `${NAME}` stands for a variable of the environment.
  private static func header(_ text: String) throws(Options.Fault) -> HTTPHeader {
    guard let colon = text.firstIndex(of: ":"), HTTPRequest.isToken(String(text[..<colon])) else {
      throw Options.Fault("--header must be 'NAME: VALUE'")
    }
    var (value, rest) = ("", text[text.index(after: colon)...].drop { $0 == " " })
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      let name = String(rest[start.upperBound..<end])
      guard let found = ProcessEnvironment.variable(name) else {
        throw Options.Fault("--header needs the variable \(name.plain), which is not set")
      }
      value += rest[..<start.lowerBound] + found
      rest = rest[rest.index(after: end)...]
    }
    return HTTPHeader(String(text[..<colon]), value + rest)
  }

  /// Serves the host until the end of its messages. Returns the exit status.
  func run(_ streams: StandardStreams) throws(Options.Fault) -> Int32 {
    let log = Log(level: options.logLevel ?? .warning, file: options.logFile)
    let output = Output(descriptor: streams.output, pinned: .lines)
    guard let (service, _) = Assembly.start(options, streams, log, Notifier(output: output, choice: .none)) else { return 2 }
    // A profile of the configuration may set these, too.
    if service.limits.isReadOnly { throw Options.Fault("mcp URL does not run with --read-only: it cannot tell which tools only read") }
    if service.limits.methods != nil { throw Options.Fault("mcp URL does not run with --allow, which is about methods: use --allow-tool") }
    let account = self.account ?? CommandSession.waiting { [url] in await service.accounts.account(of: url) }
    do throws(OAuthFailure) {
      try service.limits.check(account: account)
      try service.limits.check(call: "POST", to: url)
    } catch {
      throw Options.Fault(error.message)
    }
    let shell = question.map { BridgeShell($0, log: log, streams: streams) }
    var setup = Bridge.Setup(url: url, account: account, accounts: service.accounts, limits: service.limits, log: log) { message in
      if let shell { shell.receive(message) } else { output.send(message) }
    }
    (setup.headers, setup.tools, setup.ignoredTools, setup.hasRoom) = (headers, tools, ignoredTools, { !output.isFull })
    // A shell is told the address at once, and asks again.
    setup.listWait = shell == nil ? listWait ?? setup.listWait : 0
    if options.store != "memory" {
      setup.cache = ProcessEnvironment.folder("XDG_CACHE_HOME", inHome: ".cache").map { $0 + "/oauth-stdio/mcp" }
    }
    let bridge = Bridge(setup)
    service.shutdown.begin {
      await bridge.end(isUrgent: true)
      output.flush(checks: Self.lastChecks) { true }
      streams.closeOutput()
    }
    service.shutdown.endAtOnce(status: shell.map { $0.run(bridge) } ?? serve(bridge, streams, output, log))
    return 0
  }

  /// Hands what the host sends to the bridge. Returns the exit status.
  private func serve(_ bridge: Bridge, _ streams: StandardStreams, _ output: Output, _ log: Log) -> Int32 {
    var decoder = FrameDecoder(pinned: .lines)
    let fault = streams.feed(&decoder) { frame in
      switch frame {
      case .message(let bytes, _): bridge.receive(bytes)
      case .fault(let error, _): bridge.refuse(error.message)
      }
    } afterFrames: {
      // The end of the input must be noticed although the host does not read. Its server's answers wait instead.
    }
    if let fault { log.line("oauth-stdio: standard input cannot be read: \(String(cString: strerror(fault)).lowercased())") }
    CommandSession.waiting { await bridge.end(isUrgent: false) }
    return fault == nil ? 0 : 1
  }
}
