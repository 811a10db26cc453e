import JSONRPC
import Jansson

/// Returns the OpenRPC document.
struct Discover: InlineMethod {
  static let name = "rpc.discover"
  static let summary = "Returns the OpenRPC document, as `--schema` prints it."
  static let example: MethodExample? = MethodExample(#"{}"#, nil)

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Document { Document() }

  struct Document: JSONObjectConvertible {
    static let schemaName: String? = "OpenRPCDocument"
    static var sample: Document { Document() }
    static var schema: JSON { ["type": "object", "required": ["openrpc", "info", "methods"]] }

    func list(_ members: inout ObjectWriter) { for member in Schema.members { members.add(member.name, member.value, "") } }
  }
}
