import Calls
import Jansson
import Methods
import Platform
import Store

/// Takes over a login of another program: replaces its file, or mcp-remote's folder, by the content that `importGrant` takes.
struct ImportCommand: MethodCommand {
  static let name = "import"
  static let method: String? = Methods.importGrant
  static let warns = true
  let words: [String]

  /// mcp-remote keeps a server's tokens in one file and its client in another one beside it.
  private static let (tokenFile, clientFile) = ("_tokens.json", "_client_info.json")

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    run.print(StatusTable.text(result["accounts"]?.array ?? [result], session, width: run.width))
  }

  func methodWords() throws(Options.Fault) -> [String]? {
    guard words.count > 1, !words[0].hasPrefix("-"), words[1] == "-" || !words[1].hasPrefix("-") else {
      throw Options.Fault("import needs the name of an account and a file: write oauth-stdio \(Self.usage)")
    }
    let others = words.dropFirst(2)
    let hasFormat = others.contains { $0 == "--format" || $0.hasPrefix("--format=") }
    let found = [Methods.importGrant, "--account=\(CommandValue.quoted(words[0]))"] + (hasFormat ? [] : ["--format=json"]) + others
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
