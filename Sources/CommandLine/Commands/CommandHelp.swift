import JSONRPC
import Jansson
import Methods
import OAuthCore
import Platform

/// The help of the command line, made from the declarations of options, methods and params.
package enum CommandHelp {
  private static let sources =
    "A secret, key or token may also be a source as in the configuration, such as '{\"file\": \"/PATH\"}', and clientCertificate may have PKCS#12. A source counts for this command: to renew the token later, name it in the configuration."

  /// In columns. A longer line is hard to read, and a pipe gets the same text as a usual terminal.
  private static let width = min(79, Terminal.width(of: 1) ?? 79)

  /// What fits on one screen of 24 lines: the everyday commands, and where the rest is.
  package static var text: String { String(decoding: PackageResources.Help_txt, as: UTF8.self) }

  /// Returns the help that `words` after `help` ask for.
  package static func text(for words: [String]) throws(Options.Fault) -> String {
    guard let word = words.first else { return commands }
    if word == "options" { return options }
    if let everydayCommand = EverydayCommands.named(word) { return text(of: everydayCommand) }
    if let method = Methods.ofCommandLine.first(where: { $0.name == word }) { return text(of: method) }
    throw Command.unknown(word, or: ["options"])
  }

  private static var options: String { "Options, before the command:\n\(list(ProcessOption.all.map { ($0.usage, sentence($0.text)) }))\n" }

  private static var commands: String {
    let methods = Methods.ofCommandLine.filter { $0.effect != .session }.map { ($0.name, sentence($0.type.summary)) }
    let session = Methods.all.filter { $0.effect == .session }.map(\.name).joined(separator: ", ")
    let lists = [
      "commands": list(EverydayCommands.all.map { ($0.usage, $0.summary) }), "methods": list(methods), "session": wrapped(session, "  "),
      "statuses": wrapped("Exit status: " + statuses.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + "."),
    ]
    return Template(String(decoding: PackageResources.AllCommands_txt, as: UTF8.self)).filled { lists[$0] }
  }

  static let statuses = [
    ("0", "success"), ("1", "failure"), ("2", "wrong usage or configuration"), ("3", "sign-in required"), ("4", "denied or not allowed"),
    ("5", "network"), ("128+N", "ended by signal N"),
  ]

  /// The help of an everyday command, with the params of its method. What another program asks comes on standard input only.
  static func text(of everydayCommand: any EverydayCommand.Type) -> String {
    let method = Methods.all.first { $0.name == everydayCommand.method }
    let (params, names) = (method.map(Command.params) ?? [], everydayCommand.usualParams)
    let usual = names.compactMap { name in params.first { $0.name == name } }
    let first = everydayCommand.options.map { ($0.usage, $0.text) } + usual.map(item)
    var text = start(everydayCommand.usage, everydayCommand.summary)
    if !everydayCommand.examples.isEmpty { text += "\nExamples:\n" + everydayCommand.examples.map { "  \($0)\n" }.joined() }
    if !first.isEmpty { text += "\n\(list(first))\n" }
    guard let method else { return text }
    let others = params.filter { !names.contains($0.name) }
    return text + (others.isEmpty ? "" : "\nParams of \(method.name):\n\n\(list(others.map(item)))\n") + values(method)
  }

  /// The help of one method.
  static func text(of method: MethodEntry<Service>) -> String {
    let params = Command.params(of: method)
    var text = start(usage(of: method), method.type.summary)
    if method.name == Methods.refresh { text += wrapped(CommandRun.refreshAllUsage) + "\n" }
    if !params.isEmpty { text += "\n\(list(params.map(item)))\n\(values(method))" }
    if let example = method.type.example {
      let command = "oauth-stdio \(method.name)\(words(example))"
      text += "\nExample:\n  \(command.count < width ? command : command.replacing(" --", with: " \\\n      --"))\n"
      // A line may end between the members of the result.
      if let result = example.result { text += wrapped(result.replacing(",\"", with: ", \""), "  ") + "\n" }
    }
    return text
  }

  private static func start(_ usage: String, _ summary: String) -> String {
    wrapped("oauth-stdio [OPTION…] \(usage)", "usage: ") + "\n\n\(wrapped(summary))\n"
  }

  private static func values(_ method: MethodEntry<Service>) -> String {
    let text = "A value @FILE is the content of a file, and - is standard input. A param with … may be repeated."
    return "\n\(wrapped(method.name == Methods.authorize ? "\(text)\n\(sources)" : text))\n"
  }

  private static func item(_ param: ObjectReader.Declaration) -> (name: String, text: String) {
    ("--\(param.name)\(form(param.schema))", documentation(param))
  }

  /// Returns the method with the words that may follow it.
  static func usage(of method: MethodEntry<Service>) -> String {
    let params = Command.params(of: method)
    let free = params.filter(\.isWord).map { param in
      param.isRequired ? " \(param.name.uppercased())" : " [\(param.name.uppercased())]"
    }.joined()
    return "\(method.name)\(free)\(params.isEmpty ? "" : " [--PARAM VALUE…]")"
  }

  static func documentation(_ declaration: ObjectReader.Declaration) -> String {
    var text = declaration.documentation
    if let usual = declaration.schema["default"] { text += " The default is \(usual.line)." }
    return declaration.isRequired ? text + " It is required." : text
  }

  /// Returns the form of a param's value, such as ` TEXT`.
  static func form(_ schema: JSON) -> String {
    let whole = SchemaDefinitions.whole(schema)
    let words = CommandValue.words(whole)
    if !words.isEmpty { return " " + words.joined(separator: words.count > 5 ? " | " : "|") }
    let kinds = CommandValue.Kinds(whole)
    if kinds.isSwitch { return whole["default"] == .bool(false) ? "" : "[=false]" }
    if kinds.contains("string") { return kinds.contains("object") ? " TEXT|JSON" : " TEXT" }
    if kinds.contains("array") { return " TEXT…" }
    return kinds.contains("number") ? " NUMBER" : " JSON"
  }

  /// Returns an example's params as words of a command line.
  private static func words(_ example: MethodExample) -> String {
    let members = (try? JSON.parse(Array(example.params.utf8)))?.members ?? []
    return members.map { member in
      if member.name == "account" { return " " + (member.value.string ?? "") }
      if member.value == .bool(true) { return " --\(member.name)" }
      let text = member.value.string ?? member.value.line
      return " --\(member.name) \(ShellWord.quoted(text))"
    }.joined()
  }

  private static func sentence(_ text: String) -> String {
    guard let end = text.firstRange(of: ". ") else { return text }
    return String(text[..<end.lowerBound]) + "."
  }

  private static func list(_ items: [(name: String, text: String)]) -> String {
    items.map { "\(wrapped($0.name, "      ").dropFirst(4))\n\(wrapped($0.text, "      "))" }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String, _ start: String = "") -> String { Terminal.wrapped(text, after: start, to: width) }
}
