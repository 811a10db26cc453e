import Calls
import Jansson
import Methods
import OAuthCore
import Platform
import Store

/// Makes other programs ask this one for the credentials of hosts, or says how a host of agents starts it.
struct SetupCommand: EverydayCommand {
  static let name = "setup"

  enum Target: String, CaseIterable {
    case git, docker, pip, uv, bazel, terraform, cargo, pnpm

    var use: HostAccounts.Use { self == .git ? .git : self == .docker ? .registry : .api }
    /// Whether the program's setting is for one host, and not for all.
    var needsHost: Bool { [.git, .docker, .pnpm, .cargo, .terraform].contains(self) }
    /// What the user names, for messages. Cargo sends the token where an index says, so its setting is for that index alone.
    var word: String {
      self == .cargo ? "the index of a registry, such as https://crates.example.com/index/" : "a host, such as github.com"
    }
  }

  static let helper = "oauth-stdio"
  /// What is printed for each program.
  static let table = (try? JSON.parse(PackageResources.SetupLines_json)) ?? .null

  private let target: Target
  private let urls: [URLParts]
  /// Bazel takes no port.
  private var hosts: [String] { urls.map { target == .cargo ? $0.description : target == .bazel ? $0.host : $0.hostAndPort } }
  private let removes: Bool
  /// The options of this process, which the helper needs, too.
  private let arguments: [String]
  private let log: Log

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    if let status = try AgentSetup.run(words, run) { return status }
    let setup = try SetupCommand(words, run.options, run.log)
    // Before anything is written: a helper that cannot start answers nothing.
    let program = setup.target == .git ? "Git" : setup.target.rawValue
    let session = setup.removes ? nil : try session(for: program, run.options, run)
    guard setup.removes || session != nil else { return ExitStatus.wrongUsage }
    let status = setup.run(run, session)
    if let session {
      if status == 0 { for url in setup.urls { setup.printMissingSignIn(url, session) } }
      session.shutdown.finishCalls(status: status)
    }
    run.log.flush()
    return status
  }

  private init(_ words: [String], _ options: Options, _ log: Log) throws(Options.Fault) {
    guard let target = words.first.flatMap(Target.init) else {
      throw Options.Fault("setup needs one of \(Self.choices.joined(separator: ", "))")
    }
    self.target = target
    removes = words.contains("--remove")
    let names = words.dropFirst().filter { $0 != "--remove" }
    if removes, !names.isEmpty, target.use == .api { throw Options.Fault("setup \(target.rawValue) --remove takes no host: it is for all") }
    guard removes || !names.isEmpty || !target.needsHost else {
      throw Options.Fault("setup \(target.rawValue) needs \(target.word)")
    }
    urls = try names.map { name throws(Options.Fault) in
      let url = target == .cargo ? try? URLParts(name.replacing("sparse+", with: "")) : URLParts(scheme: "https", host: name)
      if target == .bazel, let url, !url.host.contains(".") {
        throw Options.Fault("Bazel takes no host without a dot, such as \(name.plain): setup bazel alone is for all hosts")
      }
      if !name.hasPrefix("-"), let url, url.hasSafeScheme { return url }
      throw Options.Fault("\(name.isEmpty ? "\"\"" : name.plain) is not \(target.word)")
    }
    arguments = options.arguments
    if options.store == "memory", !removes {
      throw Options.Fault(
        "\(target.rawValue) starts its helper again for each question, and --store memory ends with each process: name a store on disk")
    }
    if target != .git, !arguments.isEmpty {
      throw Options.Fault("\(target.rawValue) starts its helper without options: set what they say in the configuration or the environment")
    }
    self.log = log
  }

  /// Returns the exit status.
  private func run(_ run: CommandRun, _ session: CommandSession?) -> Int32 {
    do throws(Options.Fault) {
      // What Git and docker write there would be root's.
      if let home = ProcessEnvironment.folder("HOME", inHome: ""), let other = (try? FilePlace(home + "/.gitconfig", makes: true))?.other {
        throw Options.Fault("the home \(home.plain) is another user's: \(PosixFile.Fault.ofOther(other.st_uid, home).reason)")
      }
      switch target {
      case .git:
        let setup = GitSetup(arguments: try Self.portable(arguments), log)
        for host in removes && hosts.isEmpty ? try setup.hosts() : hosts { try removes ? setup.remove(host) : setup.add(host) }
      case .docker: try removes ? DockerSetup(log).remove(hosts.isEmpty ? nil : hosts) : DockerSetup(log).add(hosts)
      default:
        let setup = HelperSetup(target: target, log: log)
        guard let session else {
          try setup.remove()
          return 0
        }
        return run.print(try setup.add(zip(hosts, urls).map { ($0, account(at: $1, session) ?? nil) }))
      }
      return 0
    } catch {
      log.line("oauth-stdio: \(error.message)")
      return 1
    }
  }

  /// Prints how to sign in for the host if no account serves it yet. Until then, the target gets no credential for it.
  private func printMissingSignIn(_ url: URLParts, _ session: CommandSession) {
    // The helper itself reports a fault of the store or the configuration.
    guard let found = account(at: url, session) else { return }
    if let found {
      guard !session.isForClient(found), (try? session.service.accounts.tokens(of: found).held()) == nil else { return }
      return log.line("\(found.plain) is not signed in. Sign in with: \(session.program) login \(ShellWord.operand(found.plain))")
    }
    let text = HostAdvice.text(url, target.use, session.catalog, arguments: arguments)
    log.line(text.prefix(1).uppercased() + text.dropFirst())
  }

  /// Returns the account that serves the host; nil if that cannot be told.
  private func account(at url: URLParts, _ session: CommandSession) -> String?? {
    CommandSession.waiting { [target, service = session.service] in
      await service.accounts.prepareStore()
      return try? await .some(service.account(at: url, for: target.use)?.account)
    }
  }

  /// Returns the session if `program` can start this one later with the options; nil if the process cannot start, which the log says.
  static func session(for program: String, _ options: Options, _ run: CommandRun) throws(Options.Fault) -> CommandSession? {
    if let store = options.store, PostgresStore.isURI(store) {
      let hasPassword: Bool
      do throws(OAuthFailure) { hasPassword = try PostgresStore.hasPassword(store) } catch { throw Options.Fault(error.message) }
      guard !hasPassword else {
        throw Options.Fault("other users may read \(program)'s configuration, and --store contains a password: put that in ~/.pgpass")
      }
    }
    guard let session = run.makeSession(self) else { return nil }
    if session.configuration.file.isPipe { throw Options.Fault("\(program) starts a program later, so the configuration must be no pipe") }
    return session
  }

  /// Returns the options with whole paths, because Git and the hosts of agents start this program in any folder.
  static func portable(_ arguments: [String]) throws(Options.Fault) -> [String] {
    let named = ["--config", "--store", "--audit", "--files", "--log"]
    var found: [String] = []
    for (index, word) in arguments.enumerated() {
      let (option, value): (String?, String) =
        if index > 0, named.contains(arguments[index - 1]) {
          (nil, word)
        } else if let equals = word.firstIndex(of: "="), named.contains(String(word[..<equals])) {
          (String(word[...equals]), String(word[word.index(after: equals)...]))
        } else {
          (word, "")
        }
      let isRelative = (option == nil || !value.isEmpty) && !value.hasPrefix("/") && value != "memory" && !PostgresStore.isURI(value)
      found.append((option ?? "") + (isRelative ? try whole(value) : value))
    }
    return found
  }

  static func whole(_ path: String) throws(Options.Fault) -> String {
    guard let folder = getcwd(nil, 0) else { throw Options.Fault("the current folder is not known: \(Descriptors.reason(errno))") }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// The file of this program, without links.
  static var ownPath: String { real(ProgramFile.own ?? ProgramFile.words[0]) }

  /// The path by which a shell finds this program; nil if it finds none or another one.
  static var foundPath: String? {
    ProgramFile.find(helper, in: ProcessEnvironment.variable("PATH")).flatMap { real($0) == ownPath ? $0 : nil }
  }

  /// The path for other programs, which may have another PATH. It leads over a link if PATH has one, so it stays right after an update.
  static var programPath: String { foundPath ?? ownPath }

  static func real(_ path: String) -> String { PosixFile.realPath(path) ?? path }
}
