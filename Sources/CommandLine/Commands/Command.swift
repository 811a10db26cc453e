import JSONRPC
import Jansson
import Methods
import OAuthCore

/// One method with its params, as the words of a command line: `METHOD [ACCOUNT] [--param value …]`.
struct Command {
  let method: MethodEntry<Service>
  let params: [JSON.Member]
  /// Whether the words ask for the method's help.
  let asksForHelp: Bool
  /// The everyday command that the user typed; nil if it is the method itself.
  let everydayCommand: (any MethodCommand)?
  var everydayType: (any EverydayCommand.Type)? { everydayCommand.map { type(of: $0) } }
  /// The words after the program's name, as the help shows them.
  var usage: String { everydayType?.usage ?? CommandHelp.usage(of: method) }
  /// The params that a word alone may stand for.
  let words: [String]

  /// Returns the param's value; nil if it is not given.
  subscript(_ param: String) -> JSON? { params.first { $0.name == param }?.value }

  private struct Given {
    let declaration: ObjectReader.Declaration
    var texts: [CommandValue.Text]
  }

  /// `everydayCommand` is the everyday command that stands for these words.
  init(_ words: [String], for everydayCommand: (any MethodCommand)? = nil) throws(Options.Fault) {
    guard let method = Methods.ofCommandLine.first(where: { $0.name == words.first }) else { throw Self.unknown(words.first ?? "") }
    // The name that the user has typed.
    let name = everydayCommand.map { type(of: $0).name } ?? method.name
    (self.method, self.everydayCommand) = (method, everydayCommand)
    let declared = Self.params(of: method)
    let positional = declared.filter(\.isWord)
    // Another program gives its values on standard input.
    self.words = everydayCommand != nil && method.name == Methods.hostCredential ? [] : positional.map(\.name)
    var given: [Given] = []
    var free: [CommandValue.Text] = []
    var (rest, asksForHelp) = (words.dropFirst(), false)
    // The param before each free word. Its value may be what the word was meant for.
    var (last, before): (Given?, [Given?]) = (nil, [])
    while let word = rest.popFirst() {
      if word == "--help" || word == "-h" {
        asksForHelp = true
      } else if word == "--" {
        free += rest.map { CommandValue.Text(text: $0, isLiteral: true) }
        rest = []
      } else if word.hasPrefix("--") {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let declaration = try Self.declaration(parts[0], declared, name)
        let kinds = CommandValue.Kinds(declaration.schema)
        var text = parts.count == 2 ? parts[1] : nil
        if text == nil { text = kinds.isSwitch ? "true" : rest.popFirst() }
        guard let text = text.map({ CommandValue.Text(text: $0) }) else { throw Options.Fault("\(parts[0]) needs a value") }
        try Self.add(text, declaration, kinds, to: &given)
        last = Given(declaration: declaration, texts: [text])
      } else if word.hasPrefix("-"), word != "-", Double(word) == nil {
        throw Options.Fault("the param \(word.plain) is unknown: a param begins with two dashes")
      } else {
        free.append(.init(text: word))
        before.append(last)
        last = nil
      }
    }
    self.asksForHelp = asksForHelp
    // A word alone is the account, or another param that the method requires.
    var open = positional.filter { declaration in !given.contains { $0.declaration.name == declaration.name } }[...]
    for (index, word) in free.enumerated() {
      guard let declaration = open.popFirst() else {
        let place = Self.place(of: word.text, after: before.dropFirst(index).first ?? nil)
        throw Options.Fault("\(name) does not take the word \(word.text.plain): \(place)")
      }
      try Self.add(word, declaration, CommandValue.Kinds(declaration.schema), to: &given)
    }
    params = try (asksForHelp ? [] : given).map { each throws(Options.Fault) in
      .init(each.declaration.name, try CommandValue.json(each.texts, each.declaration.schema, "--\(each.declaration.name)"))
    }
  }

  /// Returns where to write a word that stands alone after a param.
  private static func place(of word: String, after given: Given?) -> String {
    guard let given else { return "write --PARAM before a value" }
    let (option, kinds) = ("--\(given.declaration.name)", CommandValue.Kinds(given.declaration.schema))
    if kinds.isSwitch { return "write \(option)=\(["true", "false"].contains(word) ? word : "true or \(option)=false")" }
    let first = ShellWord.quoted(given.texts[0].text.plain)
    return kinds.contains("array") ? "write \(option) \(first) \(option) \(ShellWord.quoted(word.plain))" : "write --PARAM before a value"
  }

  static func unknown(_ name: String, or others: [String] = ["help"]) -> Options.Fault {
    // Many programs have such words for what is an option here.
    let isOption = ProcessOption.all.contains { $0.name == "--" + name }
    let question = Suggestion.question(name, among: EverydayCommands.names + Methods.ofCommandLine.map(\.name) + others)
    return Options.Fault("there is no command \(name.plain)\(isOption ? ": did you mean \"--\(name)\"?" : question)")
  }

  /// The params that the method declares. Describing never throws; a test describes every method.
  static func params(of method: MethodEntry<Service>) -> [ObjectReader.Declaration] {
    ((try? method.type.declarations) ?? []) + (method.name == Methods.authorize ? CommandSources.params : [])
  }

  private static func declaration(
    _ option: String, _ declared: [ObjectReader.Declaration], _ method: String
  ) throws(Options.Fault) -> ObjectReader.Declaration {
    if let found = declared.first(where: { "--" + $0.name == option }) { return found }
    if ProcessOption.all.contains(where: { $0.name == option }) {
      throw Options.Fault("\(option) is an option of the process: write it before \(method)")
    }
    let options = declared.map { "--" + $0.name }
    // Many programs write a name of several words with dashes.
    let spelled = options.first { $0.lowercased() == "--" + option.replacing("-", with: "").lowercased() }
    let question = spelled.map { ": did you mean \"\($0)\"?" } ?? Suggestion.question(option, among: options)
    throw Options.Fault("\(method) has no param \(option.plain)\(question)")
  }

  private static func add(
    _ text: CommandValue.Text, _ declaration: ObjectReader.Declaration, _ kinds: CommandValue.Kinds, to given: inout [Given]
  ) throws(Options.Fault) {
    // RFC 6749 allows a comma in a scope, but in most cases the user has joined several. JSON says what is meant.
    if declaration.name == "scopes", text.text.contains(","), !text.text.hasPrefix("[") {
      let each = text.text.split(separator: ",").map { "--scopes \(ShellWord.quoted(String($0).plain))" }
      throw Options.Fault("write each scope by itself: \(each.isEmpty ? "--scopes SCOPE" : each.joined(separator: " "))")
    }
    guard let index = given.firstIndex(where: { $0.declaration.name == declaration.name }) else {
      return given.append(Given(declaration: declaration, texts: [text]))
    }
    guard kinds.contains("array") else { throw Options.Fault("--\(declaration.name) is given twice") }
    given[index].texts.append(text)
  }
}

extension ObjectReader.Declaration {
  /// Whether a word alone may stand for the param.
  var isWord: Bool { name == "account" || name == "url" || isRequired }
}
