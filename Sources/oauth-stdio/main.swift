import CommandLine
import Methods
import Platform

/// Chooses what the words of the command line ask for.
enum Program {
  /// `words` are the program's name and its arguments.
  static func run(_ words: [String]) -> Int32 {
    Signals.prepare()
    guard let program = words.first else {
      _ = PosixFile.write("oauth-stdio: the process was started without the program's name\n", to: 2)
      return 2
    }
    var arguments = Array(words.dropFirst())
    // docker starts its helpers by such a name.
    if ProgramFile.name(program).hasPrefix("docker-credential-") {
      arguments.insert(EverydayCommand.dockerCredential.rawValue, at: 0)
    }
    let options: Options
    do {
      options = try Options(arguments)
      if case .help(let words) = options.action { return printOut(try words.map(CommandHelp.text(for:)) ?? CommandHelp.text) }
    } catch {
      let log = Log(level: .error)
      log.line("oauth-stdio: \(error.text())")
      log.flush()
      return 2
    }
    switch options.action {
    case .version: return printOut("oauth-stdio \(Version.current)\n")
    case .help: return 0
    case .command(let words): return CommandRun.run(words, options)
    case .manual: return printOut(ManPage.text)
    case .complete(let words): return Completion.run(words)
    case .completion(let name):
      guard let shell = Completion.Shell(rawValue: name) else {
        let log = Log(level: .error)
        log.line("oauth-stdio: --completion must be \(Completion.Shell.allCases.map(\.rawValue).joined(separator: " or "))")
        log.flush()
        return 2
      }
      return printOut(shell.script)
    case .schema(let name):
      // Describing throws only if an initialiser checks values before it has read all members. A test describes every method.
      guard let text = try? Schema.text(name) else {
        _ = PosixFile.write("oauth-stdio: the schema could not be made: please report it\n", to: 2)
        return 1
      }
      return printOut(String(decoding: text, as: UTF8.self) + "\n")
    case .serve: return Assembly.serve(options)
    }
  }

  private static func printOut(_ text: String) -> Int32 {
    let fault = PosixFile.write(text, to: 1)
    // A reader that has seen enough, such as head, closes its pipe.
    if fault != 0, fault != EPIPE {
      _ = PosixFile.write("oauth-stdio: standard output cannot be written: \(Descriptors.reason(fault))\n", to: 2)
    }
    return fault == 0 ? 0 : 1
  }
}

exit(Program.run(ProgramFile.words))
