import Bridge
import Jansson
import Methods
import OAuthCore
import Platform
import Synchronization

/// A host for a shell, which asks the server one thing: `mcp URL --list` or `--call TOOL`.
final class BridgeShell: Sendable {
  enum Question: Sendable {
    case list
    case call(_ tool: String, _ arguments: JSON)
  }

  /// Seconds between two looks whether the user has signed in.
  private static let interval = 2
  /// Pages of a list of tools.
  private static let longestList = 50

  private let question: Question
  private let log: Log
  private let streams: StandardStreams
  private let open = Mutex<[Int: Promise<JSON>]>([:])
  private let wasSignedIn = Promise<Void>()

  init(_ question: Question, log: Log, streams: StandardStreams) { (self.question, self.log, self.streams) = (question, log, streams) }

  /// Takes a message of the server.
  func receive(_ bytes: [UInt8]) {
    guard let message = try? JSON.parseRounding(bytes) else { return }
    if message["method"]?.string == "notifications/tools/list_changed" { wasSignedIn.settle(.success(())) }
    guard message["method"] == nil, let id = message["id"]?.integer else { return }
    open.withLock { $0.removeValue(forKey: id) }?.settle(.success(message))
  }

  /// Asks, prints the answer and returns the exit status.
  func run(_ bridge: Bridge) -> Int32 {
    CommandSession.waiting { [self] in
      let status = await answer(bridge)
      await bridge.end(isUrgent: true)
      return status
    }
  }

  private func answer(_ bridge: Bridge) async -> Int32 {
    let client: JSON = ["name": "oauth-stdio", "version": .string(Version.current)]
    func begin(_ version: String) async -> JSON {
      await ask(bridge, "initialize", ["protocolVersion": .string(version), "capabilities": .object([]), "clientInfo": client])
    }
    var first = await begin(MCPVersion.handshake)
    // A server may reject a version that it does not know, and name its own.
    let supported = first["error"]?["data"]?["supported"]?.array?.compactMap(\.string) ?? []
    if let version = MCPVersion.handshakes.first(where: supported.contains) { first = await begin(version) }
    guard first["error"] == nil else { return fail(first) }
    bridge.receive((["jsonrpc": "2.0", "method": "notifications/initialized"] as JSON).text)
    // A page for the sign-in is part of the answer to every request. A call comes once the list is there.
    var (page, tools, cursor, pages) = (String?.none, [JSON](), JSON?.none, 0)
    while true {
      let answer = await ask(bridge, "tools/list", .object(cursor.map { [.init("cursor", $0)] } ?? []))
      if let result = answer["result"] {
        tools += result["tools"]?.array ?? []
        (cursor, pages) = (result["nextCursor"], pages + 1)
        if cursor == nil || pages == Self.longestList { break }
        continue
      }
      guard let url = answer["error"]?["data"]?["url"]?.string else { return fail(answer) }
      if url != page { log.line("oauth-stdio: waiting for the sign-in. \(answer["error"]?["message"]?.string ?? url)") }
      page = url
      _ = try? await Clock.system.withTimeout(Self.interval) { [wasSignedIn] in try await wasSignedIn.value() }
    }
    switch question {
    case .list: return print(tools.map { "\(($0["name"]?.string ?? "").plain)  \(Self.summary($0).plain)\n" }.joined())
    case .call(let tool, let arguments):
      let answer = await ask(bridge, "tools/call", ["name": .string(tool), "arguments": arguments])
      guard let result = answer["result"] else { return fail(answer) }
      let parts = (result["content"]?.array ?? []).map { $0["text"]?.string ?? $0.line }
      let isFailure = result["isError"] == .bool(true)
      if isFailure { log.line("oauth-stdio: the tool \(tool.plain) reports an error") }
      return max(print(parts.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()), isFailure ? 1 : 0)
    }
  }

  private static func summary(_ tool: JSON) -> String {
    String((tool["description"]?.string ?? tool["title"]?.string ?? "").prefix { !$0.isNewline })
  }

  private func ask(_ bridge: Bridge, _ method: String, _ params: JSON) async -> JSON {
    let promise = Promise<JSON>()
    let id = open.withLock { open in
      let id = (open.keys.max() ?? 0) + 1
      open[id] = promise
      return id
    }
    bridge.receive((["jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params] as JSON).text)
    return (try? await promise.value()) ?? .null
  }

  private func print(_ text: String) -> Int32 { streams.print(Array(text.utf8)) == 0 ? 0 : 1 }

  private func fail(_ answer: JSON) -> Int32 {
    log.line("oauth-stdio: \(answer["error"]?["message"]?.string ?? "the server did not answer")")
    return answer["error"]?["data"]?["kind"]?.string.flatMap(OAuthFailure.Kind.init).map(ExitStatus.of) ?? 1
  }
}
