import JSONRPC
import Jansson
import Methods
import OAuthCore
import Plans
import Platform

/// Completes command lines in shells, from the declarations of options, methods and params.
package enum Completion {
  /// Returns what may stand in the place of the last of `words`, which follow the program's name.
  /// `accounts` returns the names of the accounts that a store and a configuration have.
  static func candidates(_ words: [String], accounts: (_ options: [String]) -> [String]) -> [String] {
    let last = words.last ?? ""
    var rest = words.dropLast()[...]
    var options: [String] = []
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        let found = params(of: word, Array(rest), isOption: last.hasPrefix("-")) { accounts(options) }
        return found.filter { $0.hasPrefix(last) && isPlain($0) }
      }
      options.append(word)
      guard case .one(let form)? = ProcessOption.all.first(where: { $0.name == word })?.value else { continue }
      guard let value = rest.popFirst() else { return choices(form).filter { $0.hasPrefix(last) } }
      options.append(value)
    }
    let everydayCommands = EverydayCommands.names + ["help"]
    let names =
      last.hasPrefix("-")
      ? ProcessOption.all.map(\.name) : everydayCommands + Methods.ofCommandLine.filter { $0.effect != .session }.map(\.name)
    return names.filter { $0.hasPrefix(last) }
  }

  /// Returns what may follow a command and some of its words.
  private static func params(of name: String, _ words: [String], isOption: Bool, accounts: () -> [String]) -> [String] {
    let everydayCommand = EverydayCommands.named(name)
    let method = Methods.ofCommandLine.first { $0.name == everydayCommand.map { $0.completedMethod } ?? name }
    if name == "help" { return EverydayCommands.names + Methods.ofCommandLine.map(\.name) + ["options"] }
    guard everydayCommand != nil || method != nil else { return [] }
    let declared = method.map(Command.params) ?? []
    var choices = everydayCommand?.choices ?? []
    var positional = declared.filter { $0.name == "account" || $0.isRequired && everydayCommand?.word(for: $0.name) == nil }[...]
    var (open, own) = (declared, everydayCommand?.completedOptions ?? [])
    var rest = words[...]
    while let word = rest.popFirst() {
      if let option = own.first(where: { $0.name == word }) {
        // A call may have several headers.
        if word != "-H" { own.removeAll { $0.name == word } }
        if let values = option.values, rest.popFirst() == nil { return values }
        continue
      }
      guard word.hasPrefix("--") else {
        if choices.isEmpty { _ = positional.popFirst() }
        choices = []
        continue
      }
      guard let declaration = declared.first(where: { "--" + $0.name == word }) else { continue }
      let kinds = CommandValue.Kinds(declaration.schema)
      if !kinds.contains("array") { open.removeAll { $0.name == declaration.name } }
      if kinds.isSwitch { continue }
      if rest.popFirst() == nil { return values(of: declaration, accounts) }
    }
    // The command's own spelling of a param replaces the param.
    let params = open.map { "--" + $0.name }.filter { param in
      !own.contains { $0.name != param && $0.name.replacing("-", with: "") == param.lowercased().replacing("-", with: "") }
    }
    let options = own.map(\.name) + params
    if isOption { return options + ["--help"] }
    if !choices.isEmpty { return choices }
    // The word after `login` is an account or the provider of a new one.
    if everydayCommand is LoginCommand.Type, words.isEmpty {
      let names = accounts()
      return names + ProviderCatalog.builtIn.names.filter { !names.contains($0) }
    }
    return positional.first.map { values(of: $0, accounts) } ?? options
  }

  private static func values(of declaration: ObjectReader.Declaration, _ accounts: () -> [String]) -> [String] {
    switch declaration.name {
    case "account": accounts()
    case "provider": ProviderCatalog.builtIn.names
    default: CommandValue.words(declaration.schema)
    }
  }

  /// Returns the words of a form such as `lines|headers`. A word in capitals stands for any value.
  private static func choices(_ form: String) -> [String] {
    let words = form.split(separator: "|").map(String.init)
    return words.filter { word in word.allSatisfy { $0.isLowercase || $0 == "-" } }
  }

  /// Whether every shell reads the name as one word without a meaning of its own.
  private static func isPlain(_ name: String) -> Bool { name.utf8.allSatisfy { isASCIILetterOrDigit($0) || "@._+-:/".utf8.contains($0) } }
}

extension Completion {
  /// A shell whose completion the program prints.
  package enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The shell's functions, which ask the program for the candidates. Without any, the shell completes file names.
    package var script: String {
      let bytes =
        switch self {
        case .bash: PackageResources.completion_bash
        case .zsh: PackageResources.completion_zsh
        case .fish: PackageResources.completion_fish
        }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Prints what may stand in the place of the last word, one candidate a line.
  package static func run(_ words: [String]) -> Int32 {
    var session: CommandSession?
    let found = candidates(words) { arguments in
      // The names of the accounts that these options lead to.
      guard var options = try? Options(arguments) else { return [] }
      options.events = .none
      // A press of the Tab key must start no password manager.
      options.runsKeyCommands = false
      session = CommandSession(options, Log(level: .error), notifier: Notifier(choice: .none))
      return session?.accounts ?? []
    }
    let status: Int32 = PosixFile.write(found.filter { $0 == $0.plain }.map { $0 + "\n" }.joined(), to: 1) == 0 ? 0 : 1
    session?.shutdown.finishCalls(status: status)
    return status
  }
}
