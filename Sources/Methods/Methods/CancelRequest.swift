import JSONRPC
import Jansson

/// Cancels a request, which is still answered with -32800.
struct CancelRequest: InlineMethod {
  static let name = "$/cancelRequest"
  static let summary = "Cancels a request. A request that is still open is answered with the error -32800."
  static let example: MethodExample? = MethodExample(#"{"id":1}"#, nil)

  private let id: Request.ID

  init(_ fields: inout ObjectReader) throws(FieldError) { id = try fields.required("id", "The ID of the request to cancel.") }

  func run(_ call: Call, _ service: Service) -> Empty {
    service.session.cancel(id, silently: false)
    return Empty()
  }
}
