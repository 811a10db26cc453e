import Calls
import Methods
import OAuthCore
import Platform
import Store

/// Makes Git or docker ask this program for the credentials of hosts.
struct SetupCommand: EverydayCommand {
  static let name = "setup"

  private enum Target: String {
    case git, docker

    var use: HostAccounts.Use { self == .git ? .git : .registry }
  }

  static let helper = "oauth-stdio"

  private let target: Target
  private let urls: [URLParts]
  private var hosts: [String] { urls.map(\.hostAndPort) }
  private let removes: Bool
  /// The options of this process, which the helper needs, too.
  private let arguments: [String]
  private let log: Log

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    let setup = try SetupCommand(words, run.options, run.log)
    // Before anything is written: a helper that cannot start answers nothing.
    let session = setup.removes ? nil : run.makeSession(self)
    guard setup.removes || session != nil else { return ExitStatus.wrongUsage }
    let isPiped = session?.configuration.file.isPipe == true
    if isPiped { run.log.line("oauth-stdio: setup needs a configuration that is no pipe, because other programs will read it") }
    let status = isPiped ? ExitStatus.wrongUsage : setup.run()
    if let session {
      if status == 0 { setup.printMissingSignIns(session) }
      session.shutdown.finishCalls(status: status)
    }
    run.log.flush()
    return status
  }

  private init(_ words: [String], _ options: Options, _ log: Log) throws(Options.Fault) {
    guard let target = words.first.flatMap(Target.init) else { throw Options.Fault("setup needs git or docker") }
    self.target = target
    removes = words.contains("--remove")
    let names = words.dropFirst().filter { $0 != "--remove" }
    guard removes || !names.isEmpty else { throw Options.Fault("setup \(target.rawValue) needs a host, such as github.com or ghcr.io") }
    urls = try names.map { name throws(Options.Fault) in
      if !name.hasPrefix("-"), let url = URLParts(scheme: "https", host: name) { return url }
      throw Options.Fault("\(name.isEmpty ? "\"\"" : name.plain) is not a host: write it without https:// and without a path")
    }
    arguments = options.arguments
    if options.store == "memory", !removes {
      throw Options.Fault(
        "\(target.rawValue) starts its helper again for each question, and --store memory ends with each process: name a store on disk")
    }
    if !removes, let store = options.store, PostgresStore.isURI(store) {
      let hasPassword: Bool
      do throws(OAuthFailure) { hasPassword = try PostgresStore.hasPassword(store) } catch { throw Options.Fault(error.message) }
      guard !hasPassword else {
        throw Options.Fault(
          "other users may read \(target == .git ? "Git" : "docker")'s configuration, and --store contains a password: put that in ~/.pgpass"
        )
      }
    }
    guard removes || arguments.allSatisfy({ word in word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }) else {
      throw Options.Fault("an option contains a line end or another control character, which the configuration cannot hold")
    }
    if target == .docker, !arguments.isEmpty {
      throw Options.Fault("docker starts its helper without options: set what they say in the configuration or the environment")
    }
    self.log = log
  }

  /// Returns the exit status.
  private func run() -> Int32 {
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
      }
      return 0
    } catch {
      log.line("oauth-stdio: \(error.message)")
      return 1
    }
  }

  /// Prints how to sign in for each host that no account serves yet. Until then, the target gets no credential for it.
  private func printMissingSignIns(_ session: CommandSession) {
    for url in urls {
      let isServed = session.waiting { [target] service in
        await service.accounts.prepareStore()
        do {
          return try await service.account(at: url, for: target.use) != nil
        } catch {
          // The helper itself reports a fault of the store or the configuration.
          return true
        }
      }
      guard !isServed else { continue }
      let text = HostAdvice.text(url, target.use, session.catalog, arguments: arguments)
      log.line(text.prefix(1).uppercased() + text.dropFirst())
    }
  }

  /// Returns the options with whole paths, because Git starts its helper in any folder.
  private static func portable(_ arguments: [String]) throws(Options.Fault) -> [String] {
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

  static func real(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }
}
