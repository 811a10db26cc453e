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

    func list(_ members: inout ObjectWriter) {
      for member in Schema.members { members.add(member.name, SharedText(bytes: member.text), "") }
    }
  }

  /// JSON text that is only written.
  struct SharedText: FieldValue {
    static var schema: JSON { [:] }
    static var placeholder: SharedText { SharedText(bytes: []) }

    let bytes: [UInt8]

    static func read(_ json: JSON, at path: String) throws(FieldError) -> SharedText { SharedText(bytes: json.text) }
    func write(to writer: inout JSONWriter) { writer.shared(bytes) }
  }
}
