import Calls
import JSONRPC
import Jansson
import OAuthCore

struct ResponseFromServiceWasReceived: Event {
  static let name = "responseFromServiceWasReceived"
  static let summary = "The service answered a call. The event has the body if the call had no ID."
  static var sample: ResponseFromServiceWasReceived { .init(account: "", response: .sample) }

  var account: String
  var request: JSON?
  var response: APIResponse

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("status", response.status, "The HTTP status.")
    members.add("headers", response.headerFields, "The response's headers, with names in lower case.")
    members.add("bytes", response.bytes, "The size of the response's body in bytes.")
    guard request == nil else { return }
    response.listBody(&members)
    members.add(optional: "next", response.next, "The URL of the next page, if there is one.")
    members.add(optional: "nextProblem", response.nextProblem, "Why the next page that the service names is not used.")
  }
}

struct ErrorInResponse: Event {
  static let name = "errorInResponseWithBody"
  static let summary =
    "The service answered a call with a status of 400 or above, or with an error in a success. The event has the body if "
    + "the call had no ID."
  static var sample: ErrorInResponse { .init(account: "", response: .sample) }

  var account: String
  var request: JSON?
  var response: APIResponse

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("status", response.status, "The HTTP status.")
    if request == nil { response.listBody(&members) }
  }
}

package struct ProgressWasMade: Event {
  package static let name = "progressWasMade"
  package static let summary = "A long transfer continues. There are at most 10 such events in a second."
  package static var sample: ProgressWasMade { .init(account: "", request: .null, sent: 0, received: 0, total: 0) }

  var account: String
  package var request: JSON?
  package var sent: Int
  package var received: Int
  package var total: Int?

  package func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("sent", sent, "The number of sent bytes.")
    members.add("received", received, "The number of received bytes.")
    members.add(optional: "total", total, "The number of expected bytes, if the service tells it.")
  }
}

package struct BodyChunkWasReceived: Event {
  package static let name = "bodyChunkWasReceived"
  package static let summary = "A piece of a streamed body arrived."
  package static var sample: BodyChunkWasReceived { .init(account: "", request: .null, offset: 0, chunk: []) }

  var account: String
  var request: JSON?
  var offset: Int
  package var chunk: [UInt8]

  package func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("offset", offset, "The position of the piece, in bytes.")
    // A piece that splits a character is not valid UTF-8, so it is sent as base64.
    let isText = isCleanUTF8(chunk)
    members.add("chunk", isText ? String(decoding: chunk, as: UTF8.self) : Base64.encode(chunk), "The piece.")
    members.add("encoding", isText ? BodyEncoding.utf8 : .base64, "The encoding of the piece.")
  }
}

/// The encoding of bytes in a JSON string.
enum BodyEncoding: String, DescribedEnum {
  case utf8, base64
}
