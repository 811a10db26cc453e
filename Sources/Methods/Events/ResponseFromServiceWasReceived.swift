import JSONRPC
import Jansson
import OAuth

struct ResponseFromServiceWasReceived: Event {
  static let name = "responseFromServiceWasReceived"
  static let summary = "The service answered a call. The event has the body if the call had no ID."
  static var sample: ResponseFromServiceWasReceived { .init(account: "", request: .null, response: .sample, includesBody: true) }

  var account: String
  var request: JSON?
  var response: APIResponse
  var includesBody: Bool

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("status", response.status, "The HTTP status.")
    members.add("headers", response.headerFields, "The response's headers, with names in lower case.")
    members.add("bytes", response.bytes, "The size of the response's body in bytes.")
    guard includesBody else { return }
    response.listBody(&members)
    members.add(optional: "next", response.next, "The URL of the next page, if there is one.")
  }
}
