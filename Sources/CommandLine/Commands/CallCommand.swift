import Jansson
import Methods

/// Calls an API. The body is printed as its pieces arrive.
struct CallCommand: MethodCommand {
  static let name = "call"
  static let method: String? = Methods.callAPI
  static let isForScripts = true
  let words: [String]
  private let own: OwnOptions

  init(words: [String]) throws(Options.Fault) { (self.words, own) = (words, try OwnOptions(words, of: Self.self)) }

  func methodWords() throws(Options.Fault) -> [String]? {
    let found = try CurlWords.replaced(own, Self.name)
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
  private let own: OwnOptions
  private let format: HeaderFormat?

  /// `json` is an object of the headers, for an MCP host's `headersHelper`.
  private enum HeaderFormat: String, CaseIterable { case text, json }

  init(words: [String]) throws(Options.Fault) {
    (self.words, own) = (words, try OwnOptions(words, of: Self.self))
    format = try own.word("--format")
  }

  func methodWords() throws(Options.Fault) -> [String]? { [Methods.signRequest] + (try CurlWords.replaced(own, Self.name)) }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    if format == .json { return run.print((result["headers"] ?? [:]).line + "\n") }
    return run.print((result["headers"]?.members ?? []).map { "\($0.name): \($0.value.string ?? "")\n" }.joined())
  }
}

private enum CurlWords {
  /// Returns the words with params in the place of the options of curl. Those of the caller come last, because a word after `--` is no option.
  static func replaced(_ own: OwnOptions, _ name: String) throws(Options.Fault) -> [String] {
    if let other = own.rest.prefix(while: { $0 != "--" }).first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") }) {
      let taken = name == CallCommand.name ? "-H and -o" : "and -H"
      throw Options.Fault("\(name) does not take \(other.plain.prefix(2)): of the options of curl, it takes -X, -d, --json, \(taken)")
    }
    func isGiven(_ param: String) -> Bool { own.rest.contains { $0 == param || $0.hasPrefix(param + "=") } }
    var (options, headers, body) = ([String](), try headers(own["-H"]), JSON?.none)
    guard own["-d"].count + own["--json"].count <= 1 else { throw Options.Fault("a call has one body: give -d or --json once") }
    if let data = own["-d"].last {
      if data.hasPrefix("@"), !data.hasPrefix("@@"), data != "@-" {
        body = ["file": .string(String(data.dropFirst()))]
      } else {
        body = ["text": .string(try CommandValue.content(data == "@-" ? "-" : data, "-d"))]
        let hasType = headers.contains { $0.name.lowercased() == "content-type" }
        if !hasType { headers.append(.init("Content-Type", "application/x-www-form-urlencoded")) }
      }
    }
    if let value = own["--json"].last {
      let text = try CommandValue.content(value, "--json")
      guard let json = try? JSON.parse(Array(text.utf8)) else { throw Options.Fault("--json is not valid JSON") }
      body = ["json": json]
    }
    if let file = own["-o"].last, file != "-" {
      // As curl does, unless the user says otherwise.
      options = ["--saveTo=\(CommandValue.quoted(file))"] + (isGiven("--overwrite") ? [] : ["--overwrite"])
    }
    let verb = own["-X"].last ?? (body == nil ? nil : "POST")
    if let verb { options.append("--method=\(verb)") }
    if let body { options.append("--body=\(body.line)") }
    if !headers.isEmpty { options.append("--headers=\(JSON.object(headers).line)") }
    // Only a plain GET can be continued.
    let isPlain = verb ?? "GET" == "GET" && body == nil && !headers.contains { ["range", "if-range"].contains($0.name.lowercased()) }
    if isPlain, options.contains("--overwrite"), !["--resume", "--method", "--body", "--parameters"].contains(where: isGiven) {
      options.append("--resume")
    }
    return options + CallCommand.named(own.rest)
  }

  private static func headers(_ words: [String]) throws(Options.Fault) -> [JSON.Member] {
    var headers: [JSON.Member] = []
    for word in words {
      guard let colon = word.firstIndex(of: ":") else { throw Options.Fault("-H must be 'NAME: VALUE'") }
      let name = word[..<colon]
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      headers.append(.init(String(name), .string(String(word[word.index(after: colon)...].drop { $0 == " " }))))
    }
    return headers
  }
}
