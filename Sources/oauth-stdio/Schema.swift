import JSONRPC
import Jansson
import OAuth

/// The OpenRPC document, the same bytes for `--schema`, `rpc.discover` and schemas/openrpc.json.
enum Schema {
  private static var document: JSON {
    let openRPC = OpenRPC(
      title: "oauth-stdio", version: Program.version,
      description: "OAuth for programs that can start a process: signs users in, keeps and refreshes their tokens, calls APIs, "
        + "and forgets when told.",
      errors: Errors.all)
    // Describing throws only if an initialiser checks before it has read; a test describes every method.
    return (try? openRPC.document(Methods.all, events: Events.all)) ?? .object([])
  }

  /// Its members as text, made at the first use: the document is long and always the same.
  static let members: [(name: String, text: [UInt8])] = (document.members ?? []).map { ($0.name, $0.value.text) }

  private static var text: [UInt8] { Discover.Document().text }

  /// The schemas that `--schema=NAME` prints and that stand in the folder schemas.
  enum Name: String, CaseIterable { case openrpc, config, provider }

  static func text(_ name: Name) throws(FieldError) -> [UInt8] {
    switch name {
    case .openrpc: return text
    case .config: return file("The configuration of oauth-stdio", Fields.objectSchema(try Configuration.declarations, isClosed: true))
    case .provider: return file("A provider of oauth-stdio", Provider.schema)
    }
  }

  private static func file(_ title: String, _ schema: JSON) -> [UInt8] {
    JSON.object([.init("$schema", "http://json-schema.org/draft-07/schema#"), .init("title", .string(title))] + (schema.members ?? [])).text
  }
}
