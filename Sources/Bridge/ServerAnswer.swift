import Crypto
import Jansson
import OAuthCore
import Platform

/// The answer to the host's `initialize` while the server gives none, because the user must sign in first or it cannot be reached.
struct ServerAnswer: Sendable {
  /// What tells the host later that it has changed.
  static let lists = ["tools", "resources", "prompts"]
  /// 1 MiB. Instructions are a page of text.
  private static let limit = 1 << 20

  let url: URLParts
  /// The folder of the last answers to the account; nil stores none.
  let folder: String?

  /// What was asked for: a version of `initialize`, or `server/discover`.
  private func asked(_ request: Message) -> String {
    request.method == Stateless.discover ? Stateless.discover : request.json["params"]?["protocolVersion"]?.string ?? ""
  }

  private func path(_ asked: String) -> String? {
    folder.map { "\($0)/\(Hexadecimal.encode(Array(SHA256.hash(data: Array("\(url)\n\(asked)".utf8))))).json" }
  }

  /// Returns the last answer to the same request; nil if there is none.
  func stored(for request: Message) -> JSON? {
    let text = path(asked(request)).flatMap { try? PosixFile.read($0, limit: Self.limit) }
    guard let members = text.flatMap({ try? JSON.parseRounding($0) })?.members else { return nil }
    return .object(members.map { $0.name == "capabilities" ? .init($0.name, Self.announcing($0.value)) : $0 })
  }

  /// Returns the last answer to the same version, else one that names what may come.
  func result(for initialize: Message) -> JSON {
    if let stored = stored(for: initialize) { return stored }
    let asked = asked(initialize)
    let version = MCPVersion.handshakes.contains(asked) ? asked : MCPVersion.handshake
    return [
      "protocolVersion": .string(version), "capabilities": .object(Self.lists.map { .init($0, ["listChanged": true]) }),
      "serverInfo": ["name": .string(url.hostAndPort), "version": "0"],
    ]
  }

  /// Returns the server's capabilities so that the host looks at the lists again when it is told.
  private static func announcing(_ capabilities: JSON) -> JSON {
    .object(
      (capabilities.members ?? []).map { member in
        guard lists.contains(member.name), let members = member.value.members else { return member }
        return .init(member.name, .object(members.filter { $0.name != "listChanged" } + [.init("listChanged", true)]))
      })
  }

  /// Stores the server's answer for the next start. It is only a convenience, so a fault is no reason to stop.
  func store(_ result: JSON, for request: Message) {
    let text = result.text
    guard let folder, let path = path(asked(request)), text.count <= Self.limit, (try? PosixFile.makeFolder(folder)) != nil else { return }
    if let stored = try? PosixFile.read(path, limit: Self.limit), stored == text { return }
    let new = "\(path).\(getpid())"
    guard (try? PosixFile.writeNew(new, text)) != nil else { return }
    if rename(new, path) != 0 { unlink(new) }
  }
}
