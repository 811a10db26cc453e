import JSONRPC
import Jansson

/// Ends the process.
struct Exit: InlineMethod {
  static let name = "exit"
  static let summary = "Ends the process with status 0 after `shutdown`, otherwise with status 1."
  /// False, because a notification gets no error, and an unknown member must not keep the process from ending.
  static let rejectsUnknownMembers = false
  static let example: MethodExample? = MethodExample(#"{}"#, nil)

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Empty {
    service.session.exit()
    return Empty()
  }
}
