import JSONRPC
import Jansson
import OAuthCore
import Platform
import Store

/// The options of the process and what it is to do.
package struct Options {
  package var configuration: String?
  package var store: String?
  /// Where the key of a new store is stored.
  var key: KeySource?
  var framing: Framing?
  package var events = Notifier.Choice.all
  /// Whether the user chose the events.
  package var choosesEvents = false
  /// Whether a command shows its events as JSON.
  package var showsJSONEvents = false
  /// nil if it was not chosen.
  package var logLevel: LogMessage.Level?
  /// The user's file for the log, and the same file, open.
  var logPath: String?
  package private(set) var logFile: Int32?
  var allowsExport = false
  /// What the client may do.
  package var limits = LimitProfile()
  /// The name of a set of limits in the configuration.
  var profile: String?
  /// The file that records each use of a credential.
  var audit: String?
  /// Users whose files are accepted, besides the process's own user and root.
  var trustedOwners: [UInt32] = []
  package var action = Action.serve
  /// Whether an agent speaks to the process by MCP.
  package var servesMCP = false
  /// Whether only the command line names providers.
  package var namesOwnProviders = false
  /// Whether a command that the user's files name may print the store's key.
  package var runsKeyCommands = true
  /// The words before the method, for a program that starts this one again.
  package private(set) var arguments: [String] = []

  package enum Action {
    case serve
    /// A method and its params.
    case command([String])
    /// The words after the program's name, up to the one to complete.
    case complete([String])
    case schema(SchemaName), completion(String), manual, version
    /// The words after `help`; nil for the short text.
    case help([String]?)
  }

  /// The first word of a command line that is a method and its params.
  var command: String? { if case .command(let words) = action { words.first } else { nil } }

  /// A command line that is wrong. The message says how.
  package struct Fault: Error {
    package let message: String

    package init(_ message: String) { self.message = message }

    /// Returns the message with where to read more, unless it asks whether another name was meant. `command` is empty for the whole program.
    package func text(_ command: String = "") -> String {
      message.hasSuffix("?") ? message : "\(message)\nSee oauth-stdio \(command)\(command.isEmpty ? "" : " ")--help."
    }
  }

  /// Reads the options. The words from the first one without a dash on are a method and its params.
  package init(_ arguments: [String]) throws(Fault) {
    try read(arguments)
    // Only now, because `--trust-owner` may follow `--log`.
    guard let logPath else { return }
    do throws(PosixFile.Fault) { logFile = try FilePlace(logPath, makes: true).openToAppend(logPath) } catch {
      throw Fault("--log cannot write \(logPath.plain): \(error.reason)")
    }
  }

  private mutating func read(_ arguments: [String]) throws(Fault) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        self.arguments = Array(arguments[..<(rest.startIndex - 1)])
        if case .serve = action { action = argument == "help" ? .help(Array(rest)) : .command([argument] + rest) }
        return
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = argument == "-h" ? "--help" : parts[0]
      guard let option = ProcessOption.all.first(where: { $0.name == name }) else {
        throw Fault("the option \(name.plain) is unknown\(Suggestion.question(name, among: ProcessOption.all.map(\.name)))")
      }
      var value = parts.count == 2 ? parts[1] : nil
      switch option.value {
      case .none: if value != nil { throw Fault("\(name) takes no value") }
      case .maybe, .rest: break
      case .one:
        value = value ?? rest.popFirst()
        // A shell expands an unset variable to an empty value, and an empty folder would mean the root folder.
        if value?.isEmpty ?? true { throw Fault("\(name) needs a value") }
      }
      try option.read(&self, value ?? "")
      if case .complete = action {
        action = .complete(Array(rest))
        return
      }
    }
  }

  static func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

  /// Returns the word of the option, which must be one of a list.
  package static func word<Word: RawRepresentable<String> & CaseIterable>(_ option: String, _ text: String) throws(Fault) -> Word {
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    throw Fault("\(option) must be \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
  }

  static func checked<Value>(_ option: String, _ text: String, _ read: (String) throws(FieldError) -> Value) throws(Fault) -> Value {
    do throws(FieldError) {
      return try read(text)
    } catch {
      throw Fault("\(option) \(error.problem)")
    }
  }

  static func choice(_ text: String) throws(Fault) -> Notifier.Choice {
    switch text {
    case "all": return .all
    case "none": return .none
    default:
      let names = list(text)
      for name in names where !Events.names.contains(name) { throw Fault("--events: the event \(name) is unknown") }
      return .only(Set(names))
    }
  }
}

/// The schemas that `--schema=NAME` prints and that the folder `schemas` contains.
package enum SchemaName: String, CaseIterable { case openrpc, config, provider }
