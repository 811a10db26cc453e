import CommandLine
import Methods
import Platform

/// Chooses what the words of the command line ask for.
enum Program {
  /// `words` are the program's name and its arguments.
  static func run(_ words: [String]) -> Int32 {
    Signals.prepare()
    guard let program = words.first else { return fail("the process was started without the program's name") }
    let arguments = HelperName.words(ProgramFile.name(program)) + words.dropFirst()
    let options: Options
    do {
      options = try Options(arguments)
      if case .help(let words) = options.action { return printOut(try words.map(CommandHelp.text(for:)) ?? CommandHelp.text) }
    } catch {
      return fail(error.text())
    }
    switch options.action {
    case .version: return printOut("oauth-stdio \(Version.current)\n")
    case .help: return 0
    case .command(let words): return CommandRun.run(words, options)
    case .manual: return printOut(ManPage.text)
    case .complete(let words): return Completion.run(words)
    case .completion(let name):
      if let shell = Completion.Shell(rawValue: name) { return printOut(shell.script) }
      return fail("--completion must be \(Completion.Shell.allCases.map(\.rawValue).joined(separator: " or "))")
    case .schema(let name):
      // Describing throws only if an initialiser checks values before it has read all members. A test describes every method.
      guard let text = try? Schema.text(name) else { return fail("the schema could not be made: please report it", status: 1) }
      return printOut(String(decoding: text, as: UTF8.self) + "\n")
    case .serve: return Assembly.serve(options)
    }
  }

  private static func fail(_ message: String, status: Int32 = 2) -> Int32 {
    let log = Log(level: .error)
    log.line("oauth-stdio: \(message)")
    log.flush()
    return status
  }

  private static func printOut(_ text: String) -> Int32 {
    let fault = PosixFile.write(text, to: 1)
    // A reader that has seen enough, such as head, closes its pipe.
    guard fault != 0, fault != EPIPE else { return fault == 0 ? 0 : 1 }
    return fail("standard output cannot be written: \(Descriptors.reason(fault))", status: 1)
  }
}

exit(Program.run(ProgramFile.words))
