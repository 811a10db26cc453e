import Crypto
import Jansson
import OAuthCore
import Platform

/// The answer to the host's `initialize` while the server gives none, because the user must sign in first.
struct ServerAnswer: Sendable {
  private static let latest = "2025-11-25"
  private static let versions = ["2024-11-05", "2025-03-26", "2025-06-18", latest]
  /// What tells the host later that it has changed.
  static let lists = ["tools", "resources", "prompts"]
  /// 1 MiB. Instructions are a page of text.
  private static let limit = 1 << 20

  let url: URLParts
  /// The folder of the servers' last answers; nil stores none.
  let folder: String?

  private var path: String? {
    folder.map { "\($0)/\(Hexadecimal.encode(SHA256.hash(data: Array(url.description.utf8)))).json" }
  }

  /// Returns the last answer to the same version, else one that names what may come.
  func result(for initialize: Message) -> JSON {
    let asked = initialize.json["params"]?["protocolVersion"]?.string ?? ""
    let stored = path.flatMap { try? PosixFile.read($0, limit: Self.limit) }.flatMap { try? JSON.parseRounding($0) }
    if let stored, stored["url"]?.string == url.description, stored["asked"]?.string == asked, let members = stored["result"]?.members {
      return .object(members.map { $0.name == "capabilities" ? .init($0.name, Self.announcing($0.value)) : $0 })
    }
    let version = Self.versions.contains(asked) ? asked : Self.latest
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
  func store(_ result: JSON, for initialize: Message) {
    guard let folder, let path, (try? PosixFile.makeFolder(folder)) != nil else { return }
    let asked = initialize.json["params"]?["protocolVersion"] ?? .null
    let text = (["url": .string(url.description), "asked": asked, "result": result] as JSON).text
    if let known = try? PosixFile.read(path, limit: Self.limit), known == text { return }
    let new = "\(path).\(getpid())"
    guard (try? PosixFile.writeNew(new, text)) != nil else { return }
    if rename(new, path) != 0 { unlink(new) }
  }
}
