import JSONRPC
import Jansson

/// Makes the process exit.
struct Exit: InlineMethod {
  static let name = "exit"
  static let summary = "Exits with status 0 after `shutdown`, otherwise with status 1."
  /// False, because a notification gets no error, and a stray member must not keep the process from exiting.
  static let rejectsUnknownMembers = false
  static let example: MethodExample? = MethodExample(#"{}"#, nil)

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Empty {
    service.session.exit()
    return Empty()
  }
}
