import Jansson
import OAuthCore
import Synchronization

/// Lets a host of an earlier version speak to a server of 2026-07-28 alone.
final class Translation: Sendable {
  private let client: [JSON.Member]
  private let level = Mutex<JSON?>(nil)

  /// `params` are those of the host's `initialize`.
  init(_ params: JSON) {
    client = [
      .init("io.modelcontextprotocol/protocolVersion", .string(MCPVersion.stateless)),
      .init("io.modelcontextprotocol/clientCapabilities", params["capabilities"] ?? .object([])),
      .init("io.modelcontextprotocol/clientInfo", params["clientInfo"] ?? .object([])),
    ]
  }

  var meta: JSON { .object(client + (level.withLock { $0 }.map { [.init("io.modelcontextprotocol/logLevel", $0)] } ?? [])) }

  /// Returns the result of `initialize` for that of `server/discover`.
  func result(_ found: JSON, for initialize: Message) -> JSON {
    let info = found["_meta"]?["io.modelcontextprotocol/serverInfo"] ?? found["serverInfo"] ?? ["name": "unknown", "version": "0"]
    return .object(
      [
        .init("protocolVersion", initialize.json["params"]?["protocolVersion"] ?? .null),
        .init("capabilities", found["capabilities"] ?? .object([])), .init("serverInfo", info),
      ] + (found["instructions"].map { [.init("instructions", $0)] } ?? []))
  }

  enum Translated {
    case send(Message)
    /// The bridge answers it, if it needs an answer.
    case answer(JSON)
  }

  /// Returns what a message of the host means to the server.
  func translated(_ message: Message) -> Translated {
    guard !message.requests.isEmpty, message.parts.count == 1 else { return .answer(.object([])) }
    let json = message.json
    switch message.method {
    case "ping": return .answer(.object([]))
    case "logging/setLevel":
      level.withLock { $0 = json["params"]?["level"] }
      return .answer(.object([]))
    default:
      let params = json["params"] ?? .object([])
      let all = JSON.object((params["_meta"]?.members ?? []) + (meta.members ?? []))
      let others = (params.members ?? []).filter { $0.name != "_meta" }
      return .send(message.sending(others + [.init("_meta", all)]))
    }
  }
}
