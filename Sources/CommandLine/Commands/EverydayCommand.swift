import Jansson
import Methods
import OAuth
import OAuthCore
import Platform

/// A command for people and shell scripts, mostly about one method.
///
/// `EverydayCommands.json` has its texts and its options, for the help, the manual and the completion. A test asks for the help of each.
protocol EverydayCommand: Sendable {
  static var name: String { get }
  /// The method whose params the command takes; nil if it takes none.
  static var method: String? { get }
  /// Whether scripts and other programs run the command, and show standard error to the user only if something is wrong.
  static var isForScripts: Bool { get }
  /// Whether the log has warnings, too: another program has no other way to warn its user, and a file may be read in part.
  static var warns: Bool { get }
  /// Runs the words after the command's name, and exits or returns the exit status.
  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32
}

enum EverydayCommands {
  /// In the order of the help.
  static let all: [any EverydayCommand.Type] = [
    LoginCommand.self, LogoutCommand.self, StatusCommand.self, TokenCommand.self, CallCommand.self, HeaderCommand.self, SASLCommand.self,
    DoctorCommand.self, MCPCommand.self, RunCommand.self, HTTPCommand.self, SetupCommand.self, KeyCommand.self, ImportCommand.self,
    GitCredentialCommand.self, DockerCredentialCommand.self, ExecCredentialCommand.self, KeyringCommand.self, BazelCredentialCommand.self,
    TerraformCredentialsCommand.self, CargoCredentialCommand.self,
  ]
  static let names = all.map { $0.name }
  fileprivate static let texts = (try? JSON.parse(PackageResources.EverydayCommands_json)) ?? .null

  static func named(_ name: String?) -> (any EverydayCommand.Type)? { all.first { $0.name == name } }
}

/// Joins an MCP host with a server of the network, or serves it the methods.
enum MCPCommand: EverydayCommand {
  static let name = "mcp"

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    if let bridge = try BridgeCommand(words, run.options) { return try bridge.run(run.streams) }
    return try MCPServer.run(words, run.options, run.log, run.streams)
  }
}

extension EverydayCommand {
  private static subscript(_ member: String) -> JSON? { EverydayCommands.texts[name]?[member] }
  private static func strings(_ member: String) -> [String] { Self[member]?.array?.compactMap(\.string) ?? [] }

  static var usage: String { Self["usage"]?.string ?? "" }
  static var summary: String { Self["summary"]?.string ?? "" }
  static var method: String? { nil }
  static var isForScripts: Bool { false }
  static var warns: Bool { false }
  /// The method whose params may follow; it differs if the command has a method for each number of words.
  static var completedMethod: String? { Self["completes"]?.string ?? method }
  /// Command lines to copy.
  static var examples: [String] { strings("examples") }
  /// The params of the method that most users of the command need, in the order of their use.
  static var usualParams: [String] { strings("usual") }
  /// The words of which the first one must be one; empty if it may be another one.
  static var choices: [String] { strings("choices") }
  /// What the command takes besides the params of its method, with usual values.
  static var options: [(usage: String, text: String, values: [String])] {
    (Self["options"]?.array ?? []).compactMap(\.array).map { part in
      (part[0].string ?? "", part[1].string ?? "", part.dropFirst(2).flatMap { $0.array ?? [] }.compactMap(\.string))
    }
  }

  /// The command's own options for the completion, with their usual values; nil if the option takes no value.
  static var completedOptions: [(name: String, values: [String]?)] {
    options.map { (String($0.usage.prefix { $0 != " " }), $0.usage.contains(" ") ? $0.values : nil) }
  }

  /// Returns the command's own name of the word that gives the param; nil if the param names it.
  static func word(for param: String) -> String? { Self["words"]?[param]?.string }

  /// Whether the words ask for help. The value of an option does not.
  static func asksForHelp(_ words: [String]) -> Bool {
    var rest = words[...]
    while let word = rest.popFirst(), word != "--" {
      if ["--help", "-h"].contains(word) { return true }
      if word.hasPrefix("-"), completedOptions.contains(where: { $0.name == word && $0.values != nil }) { _ = rest.popFirst() }
    }
    return false
  }
}
