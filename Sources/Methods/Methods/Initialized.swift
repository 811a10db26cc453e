import JSONRPC
import Jansson

/// Ends the opening of a session. It has no effect.
struct Initialized: InlineMethod {
  static let name = "initialized"
  static let summary = "Reports that the client has read the answer to `initialize`."
  static let rejectsUnknownMembers = false
  static let example: MethodExample? = MethodExample(#"{}"#, nil)

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Empty { Empty() }
}
