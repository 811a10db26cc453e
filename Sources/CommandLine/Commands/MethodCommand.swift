import Jansson
import Methods
import OAuth
import OAuthCore
import Platform

extension JSON {
  /// A time in Unix seconds, as RFC 3339 writes it.
  static func time(_ seconds: Int) -> JSON {
    let (date, time) = Clock.utc(seconds)
    return .string("\(date)T\(time)Z")
  }
}

/// An everyday command that calls a method for its words and has an output of its own.
protocol MethodCommand: EverydayCommand {
  var words: [String] { get }
  init(words: [String]) throws(Options.Fault)
  /// Returns the words of the method for those of the command; nil if there is nothing to do.
  func methodWords() throws(Options.Fault) -> [String]?
  /// Calls the method.
  func request(_ command: Command, _ params: [JSON.Member], _ run: CommandRun, _ session: CommandSession) -> CommandSession.Answer
  /// Prints the result. Returns the exit status.
  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32
  /// Returns what to print for an error, what to say on standard error, and the exit status; nil if the error is that of any command.
  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)?
}

extension MethodCommand {
  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 { try Self(words: words).call(run) }

  func call(_ run: CommandRun) throws(Options.Fault) -> Int32 {
    guard let words = try methodWords() else { return run.print("") }
    return try run.run(Command(words, for: self))
  }

  func methodWords() throws(Options.Fault) -> [String]? { [Self.method ?? ""] + Self.named(words) }

  func request(_ command: Command, _ params: [JSON.Member], _ run: CommandRun, _ session: CommandSession) -> CommandSession.Answer {
    session.request(command.method.name, params)
  }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 { run.print("") }

  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)? { nil }

  /// Returns the words with the account's name in the place of the URL of its server.
  static func named(_ words: [String]) -> [String] {
    guard let word = words.first, word.contains("://"), let url = try? URLParts(word) else { return words }
    return [Accounts.account(of: url)] + words.dropFirst()
  }
}
