import JSONRPC
import Jansson
import OAuthCore

/// The OpenRPC document. `--schema`, `rpc.discover` and schemas/openrpc.json contain the same bytes.
package enum Schema {
  private static var document: JSON {
    let openRPC = OpenRPC(
      title: "oauth-stdio", version: Version.current,
      description: "This process does OAuth for any program that can start it. It signs users in, stores and refreshes their tokens, and "
        + "calls APIs with them.",
      errors: Errors.all)
    // Describing throws if an initialiser checks values before it has read all members, or if two types have one name. A test describes every method.
    let document = (try? openRPC.document(Methods.all, events: Events.all)) ?? .object([])
    // OpenRPC has no place for the options of the process.
    let options = ProcessOption.all.map { JSON.object([.init("usage", .string($0.usage)), .init("description", .string($0.text))]) }
    return .object((document.members ?? []) + [.init("x-options", .array(options))])
  }

  /// The document's members as text. They are created at the first use, because the document is long and constant.
  static let members: [JSON.Member] = (document.members ?? []).map { JSON.Member($0.name, .verbatim($0.value.text)) }

  package static func text(_ name: SchemaName) throws -> [UInt8] {
    switch name {
    case .openrpc: return Discover.Document().text
    case .config:
      return try file(
        "The configuration of oauth-stdio", ObjectReader.objectSchema(try ConfigurationFile.Content.declarations, isClosed: true))
    case .provider: return try file("A provider of oauth-stdio", Provider.schema)
    }
  }

  private static func file(_ title: String, _ schema: JSON) throws(SchemaDefinitions.Conflict) -> [UInt8] {
    var definitions = SchemaDefinitions(at: "#/definitions/")
    let root = try definitions.moving(schema).members ?? []
    let head: [JSON.Member] = [.init("$schema", "http://json-schema.org/draft-07/schema#"), .init("title", .string(title))]
    return JSON.object(head + root + [.init("definitions", .object(definitions.members))]).text
  }
}
