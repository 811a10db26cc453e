import JSONRPC
import Jansson

/// The OpenRPC document, the same bytes for `--schema`, `rpc.discover` and schemas/openrpc.json.
enum Schema {
  static var document: JSON {
    let openRPC = OpenRPC(
      title: "oauth-stdio", version: Program.version,
      description: "OAuth for whoever can spawn a process: signs people in, keeps and refreshes their tokens, calls APIs, and forgets when told.",
      errors: Errors.all)
    // Describing throws only if an initialiser checks before it has read; a test describes every method.
    return (try? openRPC.document(Methods.all, events: Events.all)) ?? .object([])
  }

  static var text: [UInt8] { document.text }
}
