import JSONRPC
import Jansson
import OAuth

struct ErrorInResponse: Event {
  static let name = "errorInResponseWithBody"
  static let summary =
    "The service answered a call with a status of 400 or above, or with an error in a success. The event has the body if "
    + "the call had no ID."
  static var sample: ErrorInResponse { .init(account: "", request: .null, response: .sample, includesBody: true) }

  var account: String
  var request: JSON?
  var response: APIResponse
  var includesBody: Bool

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("status", response.status, "The HTTP status.")
    if includesBody { response.listBody(&members) }
  }
}
