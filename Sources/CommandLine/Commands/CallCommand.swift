import Jansson
import Methods

/// Calls an API. The body is printed as its pieces arrive.
struct CallCommand: MethodCommand {
  static let name = "call"
  static let method: String? = Methods.callAPI
  static let isForScripts = true
  let words: [String]

  func methodWords() throws(Options.Fault) -> [String]? {
    let found = try CurlWords.replaced(Self.named(words), Self.name)
    let hasPlace = found.contains { word in ["--saveTo", "--stream"].contains { word == $0 || word.hasPrefix($0 + "=") } }
    return [Methods.callAPI] + (hasPlace ? [] : ["--stream"]) + found
  }
}

/// Prints the headers that authorize a request.
struct HeaderCommand: MethodCommand {
  static let name = "header"
  static let method: String? = Methods.signRequest
  static let isForScripts = true
  let words: [String]
  private let format: HeaderFormat?

  /// `json` is an object of the headers, for an MCP host's `headersHelper`.
  private enum HeaderFormat: String, CaseIterable { case text, json }

  init(words: [String]) throws(Options.Fault) {
    let own = try OwnOptions(words, of: Self.self, ["--format"])
    (self.words, format) = (own.rest, try own.word("--format"))
  }

  func methodWords() throws(Options.Fault) -> [String]? { [Methods.signRequest] + (try CurlWords.replaced(Self.named(words), Self.name)) }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    if format == .json { return run.print((result["headers"] ?? [:]).line + "\n") }
    return run.print((result["headers"]?.members ?? []).map { "\($0.name): \($0.value.string ?? "")\n" }.joined())
  }
}

private enum CurlWords {
  /// Replaces the options of curl by params.
  static func replaced(_ words: [String], _ name: String) throws(Options.Fault) -> [String] {
    // The words of the caller come last, because a word after `--` is not an option.
    var (options, found, headers, rest) = ([String](), [String](), [JSON.Member](), words[...])
    var body: JSON?
    var verb: String?
    func value(_ option: String) throws(Options.Fault) -> String {
      guard let value = rest.popFirst() else { throw Options.Fault("\(option) needs a value") }
      return value
    }
    func set(_ new: JSON, _ type: String?) throws(Options.Fault) {
      guard body == nil else { throw Options.Fault("a call has one body: give -d or --json once") }
      body = new
      if let type, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
        headers.append(.init("Content-Type", .string(type)))
      }
    }
    while let word = rest.popFirst() {
      switch word {
      case "-X": verb = try value(word)
      case "-H":
        let header = try value(word)
        guard let colon = header.firstIndex(of: ":") else { throw Options.Fault("-H must be 'NAME: VALUE'") }
        let name = header[..<colon]
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(.init(String(name), .string(String(header[header.index(after: colon)...].drop { $0 == " " }))))
      case "-d":
        var data = try value(word)
        if data == "@-" { data = "-" }
        if data.hasPrefix("@"), !data.hasPrefix("@@") {
          try set(["file": .string(String(data.dropFirst()))], nil)
        } else {
          try set(["text": .string(try CommandValue.content(data, word))], "application/x-www-form-urlencoded")
        }
      case "--json":
        let text = try CommandValue.content(try value(word), word)
        guard let json = try? JSON.parse(Array(text.utf8)) else { throw Options.Fault("--json is not valid JSON") }
        try set(["json": json], nil)
      case "-o":
        let file = try value(word)
        if file != "-" { options.append("--saveTo=\(CommandValue.quoted(file))") }
        // As curl does, unless the user says otherwise.
        if file != "-", !words.contains(where: { $0 == "--overwrite" || $0.hasPrefix("--overwrite=") }) { options.append("--overwrite") }
      case "--":
        found += [word] + rest
        rest = []
      default:
        guard !word.hasPrefix("-") || word.hasPrefix("--") else {
          throw Options.Fault("\(name) does not take \(word.plain): of the options of curl, it takes -X, -d, --json, -H and -o")
        }
        found.append(word)
      }
    }
    if let verb = verb ?? (body == nil ? nil : "POST") { options.append("--method=\(verb)") }
    if let body { options.append("--body=\(body.line)") }
    if !headers.isEmpty { options.append("--headers=\(JSON.object(headers).line)") }
    func has(_ param: String) -> Bool { (options + found).contains { $0 == param || $0.hasPrefix(param + "=") } }
    // Only a plain GET can be continued.
    let isPlain = verb ?? "GET" == "GET" && body == nil && !headers.contains { ["range", "if-range"].contains($0.name.lowercased()) }
    if isPlain, options.contains("--overwrite"), !has("--resume"), !has("--method"), !has("--body"), !has("--parameters") {
      options.append("--resume")
    }
    return options + found
  }
}
