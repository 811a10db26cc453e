import Door
import Methods
import OAuthCore
import Platform

/// Runs a command of the user, whose HTTP requests use accounts without their tokens.
struct RunCommand: EverydayCommand {
  static let name = "run"
  static let isForScripts = true
  /// As shells say it.
  private static let (notExecutable, notFound): (Int32, Int32) = (126, 127)

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    guard let mark = words.firstIndex(of: "--"), let program = words[mark...].dropFirst().first else {
      throw Options.Fault("run needs -- and a command, such as: run ACCOUNT -- COMMAND")
    }
    let command = try DoorCommand(Array(words[..<mark]), of: self, run)
    guard let session = command.run.makeSession(self) else { return ExitStatus.wrongUsage }
    func end(_ status: Int32, _ problem: String? = nil) -> Never {
      if let problem { command.run.log.line("oauth-stdio: \(program.plain) \(problem)") }
      session.shutdown.finishCalls(status: status)
    }
    let accounts = try command.accounts.isEmpty ? [only(session)] : command.accounts
    for account in accounts { if let status = try command.report(account, session) { end(status) } }
    let socket: LoopbackSocket
    do throws(Descriptors.Fault) { socket = try LoopbackSocket(isIPv6: false, port: 0) } catch {
      end(1, "needs a port of this machine: \(Descriptors.reason(error.code))")
    }
    let secret = DoorCommand.newSecret()
    let added = try variables(command["--env"], accounts, "http://127.0.0.1:\(socket.port)/", secret)
    var environment = session.configuration.children.variables.merging(added) { $1 }
    // A proxy of the network would get the secret. Some programs read one of these, some the other.
    let (lower, upper) = (environment["no_proxy"], environment["NO_PROXY"])
    for (name, own) in [("no_proxy", lower ?? upper), ("NO_PROXY", upper ?? lower)] {
      environment[name] = [own, "127.0.0.1"].compactMap(\.self).joined(separator: ",")
    }
    guard let path = ProgramFile.find(program, in: environment["PATH"]) else {
      end(notFound, "is no program that can be found and executed")
    }
    let process: pid_t
    do throws(Descriptors.Fault) {
      process = try session.shutdown.start(
        ChildProcess(
          path, Array(words[(mark + 1)...]), environment: environment, group: .callers, input: 0, output: run.streams.output,
          sharesErrors: true))
    } catch {
      end(notExecutable, "cannot be started: \(Descriptors.reason(error.code))")
    }
    // Only now: the command would inherit a descriptor of the event loop.
    let code = Door(accounts: session.service.accounts, secret: secret).listen(at: socket)
    if code != 0 { kill(process, SIGTERM) }
    end(session.shutdown.end(of: process), code == 0 ? nil : "was ended: no thread can be started: \(Descriptors.reason(code))")
  }

  /// Returns the account that is meant without a name.
  private static func only(_ session: CommandSession) throws(Options.Fault) -> String {
    let accounts = session.limits.accounts ?? session.accounts
    guard accounts.count == 1 else {
      throw Options.Fault("run needs an account\(accounts.isEmpty ? "" : ", one of \(accounts.joined(separator: ", ").plain)")")
    }
    return accounts[0]
  }

  /// Returns what the command's environment has besides that of every child.
  private static func variables(
    _ words: [String], _ accounts: [String], _ door: String, _ secret: Secret
  ) throws(Options.Fault) -> [String: String] {
    let urls = accounts.map { door + PercentEncoding.encode($0) }
    var variables = ["OAUTH_STDIO_URL": urls[0], "OAUTH_STDIO_SECRET": secret.value]
    for word in words {
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { throw Options.Fault("--env must be NAME=TEXT") }
      var text = String(word[word.index(after: equals)...])
      for (account, url) in zip(accounts, urls) { text = text.replacing("{url:\(account)}", with: url) }
      if let other = text.firstRange(of: "{url:") {
        let name = String(text[other.upperBound...].prefix { $0 != "}" })
        throw Options.Fault("--env has {url:\(name.plain)}, and run does not name that account")
      }
      variables[String(word[..<equals])] = text.replacing("{url}", with: urls[0]).replacing("{secret}", with: secret.value)
    }
    return variables
  }
}
