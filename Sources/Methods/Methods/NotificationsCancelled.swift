import JSONRPC
import Jansson

/// The Model Context Protocol's version of cancelling: the request gets no answer.
struct NotificationsCancelled: InlineMethod {
  static let name = "notifications/cancelled"
  static let summary = "Cancels a request, which then has no answer."
  static let example: MethodExample? = MethodExample(#"{"requestId":1,"reason":"changed my mind"}"#, nil)

  private let id: Request.ID

  init(_ fields: inout ObjectReader) throws(FieldError) {
    id = try fields.required("requestId", "The ID of the request to cancel.")
    let _: String? = try fields.optional("reason", "A reason for people to read.")
    let _: JSON? = try fields.optional("_meta", "Members of the Model Context Protocol. The process ignores them.")
  }

  func run(_ call: Call, _ service: Service) -> Empty {
    service.session.cancel(id, silently: true)
    return Empty()
  }
}
