import Jansson
import Methods
import OAuth
import Platform
import Store

extension EverydayCommand {
  /// Replaces the options of curl by params.
  func call(_ words: [String]) throws(Options.Fault) -> [String] {
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
        if file != "-" { options.append("--saveTo=\(Self.quoted(file))") }
        // As curl does, unless the user says otherwise.
        if file != "-", !words.contains(where: { $0 == "--overwrite" || $0.hasPrefix("--overwrite=") }) { options.append("--overwrite") }
      case "--":
        found += [word] + rest
        rest = []
      default:
        guard !word.hasPrefix("-") || word.hasPrefix("--") else {
          throw Options.Fault("\(rawValue) does not take \(word.plain): of the options of curl, it takes -X, -d, --json, -H and -o")
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
    if self == .call, !has("--saveTo"), !has("--stream") { options.append("--stream") }
    return [method ?? ""] + options + found
  }

  /// mcp-remote keeps a server's tokens in one file and its client in another one beside it.
  private static let (tokenFile, clientFile) = ("_tokens.json", "_client_info.json")

  /// Replaces the file, or mcp-remote's folder, by the content that `importGrant` takes.
  func importing(_ words: [String]) throws(Options.Fault) -> [String] {
    guard words.count > 1, !words[0].hasPrefix("-"), words[1] == "-" || !words[1].hasPrefix("-") else {
      throw Options.Fault("import needs the name of an account and a file: write oauth-stdio \(usage)")
    }
    let others = words.dropFirst(2)
    let hasFormat = others.contains { $0 == "--format" || $0.hasPrefix("--format=") }
    let found = [Methods.importGrant, "--account=\(Self.quoted(words[0]))"] + (hasFormat ? [] : ["--format=json"]) + others
    var path = words[1]
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { path = try Self.tokens(in: path, Array(others)) }
    guard path.hasSuffix(Self.tokenFile) else { return found + ["--data=\(path == "-" ? path : "@" + path)"] }
    var members = [JSON.Member("tokens", .string(try CommandValue.content("@" + path, "FILE")))]
    let client = path.dropLast(Self.tokenFile.count) + Self.clientFile
    if access(String(client), R_OK) == 0 {
      let text = try CommandValue.content("@" + client, "FILE")
      members += (try? JSON.parse(Array(text.utf8)))?.members ?? []
    }
    // The tokens' lifetime counts from when the file was written.
    return found + ["--data=\(JSON.object(members).line)", "--issuedAt=\(Self.modified(path))"]
  }

  /// Returns the newest file with tokens of the server that `--provider` names. Each version of mcp-remote has a folder.
  private static func tokens(in folder: String, _ words: [String]) throws(Options.Fault) -> String {
    let option = "--provider"
    let url = words.firstIndex(of: option).flatMap { words.dropFirst($0 + 1).first } ?? words.first { $0.hasPrefix(option + "=") }
    guard let url = url.map({ $0.hasPrefix(option) ? String($0.dropFirst(option.count + 1)) : $0 }) else {
      throw Options.Fault("add \(option) URL: mcp-remote's files do not say which server they are for")
    }
    let folders = [folder] + ((try? PosixFile.names(in: folder)) ?? []).filter { $0.hasPrefix("mcp-remote-") }.map { "\(folder)/\($0)" }
    let files: [String] = folders.map { "\($0)/\(ImportedFile.name(ofServer: url))\(tokenFile)" }.filter { FileStamp.ifAny($0) != nil }
    guard let newest = files.max(by: { modified($0) < modified($1) }) else {
      throw Options.Fault(
        "\(folder.plain) has no tokens for \(url.plain): write the URL as mcp-remote got it, or name the file …\(tokenFile) itself")
    }
    return newest
  }

  /// Unix seconds.
  private static func modified(_ path: String) -> Int { FileStamp.ifAny(path)?.seconds ?? 0 }
}
