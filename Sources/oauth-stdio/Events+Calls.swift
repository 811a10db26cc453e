import JSONRPC
import Jansson
import OAuth

struct ResponseFromServiceWasReceived: Event {
  static let name = "responseFromServiceWasReceived"
  static let summary = "The service answered a call; the body is in it when the call had no id."
  static var sample: ResponseFromServiceWasReceived { .init(account: "", request: .null, response: .sample, includesBody: true) }

  var account: String
  var request: JSON?
  var response: APIResponse
  var includesBody: Bool

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    members.add("status", response.status, "The HTTP status.")
    members.add("headers", response.headerFields, "The response's headers, names in lower case.")
    members.add("bytes", response.bytes, "How many bytes of body came.")
    guard includesBody else { return }
    response.listBody(&members)
    members.add(optional: "next", response.next, "The URL of the next page, where the service names one.")
  }
}

struct ErrorInResponse: Event {
  static let name = "errorInResponseWithBody"
  static let summary =
    "The service answered a call with a status of 400 or above, or with an error inside a success; the body is in it when the call had no id."
  static var sample: ErrorInResponse { .init(account: "", request: .null, response: .sample, includesBody: true) }

  var account: String
  var request: JSON?
  var response: APIResponse
  var includesBody: Bool

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    members.add("status", response.status, "The HTTP status.")
    if includesBody { response.listBody(&members) }
  }
}

struct ProgressWasMade: Event {
  static let name = "progressWasMade"
  static let summary = "A long transfer goes on; at most 10 a second."
  static var sample: ProgressWasMade { .init(account: "", request: .null, sent: 0, received: 0, total: 0) }

  var account: String
  var request: JSON?
  var sent: Int
  var received: Int
  var total: Int?

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    members.add("sent", sent, "Bytes of body sent.")
    members.add("received", received, "Bytes of body received.")
    members.add(optional: "total", total, "Bytes that will be received, where the service says so.")
  }
}

struct BodyChunkWasReceived: Event {
  static let name = "bodyChunkWasReceived"
  static let summary = "A piece of a streamed body."
  static var sample: BodyChunkWasReceived { .init(account: "", request: .null, offset: 0, chunk: []) }

  var account: String
  var request: JSON?
  var offset: Int
  var chunk: [UInt8]

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    members.add("offset", offset, "Where the piece begins, in bytes.")
    // A piece that cuts a character in two is no UTF-8 by itself and goes as base64.
    if isCleanUTF8(chunk) {
      members.add("chunk", UTF8Text(chunk), "The piece.")
      members.add("encoding", BodyEncoding.utf8, "How the piece is written.")
    } else {
      members.add("chunk", Base64.encode(chunk), "The piece.")
      members.add("encoding", BodyEncoding.base64, "How the piece is written.")
    }
  }
}

/// How bytes stand in a string.
enum BodyEncoding: String, FieldWord { case utf8, base64 }

/// A string whose bytes have been found to be clean UTF-8; kept as bytes, so that a body of megabytes is not converted back and forth.
struct UTF8Text: FieldValue {
  static var schema: JSON { ["type": "string"] }
  static var placeholder: UTF8Text { UTF8Text([]) }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func read(_ json: JSON, at path: String) throws(FieldError) -> UTF8Text {
    UTF8Text(Array(try String.read(json, at: path).utf8))
  }

  func write(to writer: inout JSONWriter) { writer.string(utf8: bytes) }
}

extension APIResponse {
  static var sample: APIResponse { APIResponse(sample: ()) }

  /// The body in the member that fits it. While describing, all of them are named.
  func listBody(_ members: inout Members) {
    var text: UTF8Text?
    var encoding: BodyEncoding?
    var json: JSON?
    var savedTo: String?
    switch body {
    case .text(let bytes): (text, encoding) = (UTF8Text(bytes), .utf8)
    case .base64(let value): (text, encoding) = (UTF8Text(Array(value.utf8)), .base64)
    case .json(let bytes): json = .verbatim(bytes)
    case .saved(let path): savedTo = path
    case .streamed: break
    }
    members.add(optional: "body", text, "The body, byte for byte.")
    members.add(optional: "bodyEncoding", encoding, "utf8, or base64 where the body is no clean UTF-8.")
    members.add(optional: "json", json, "The service's own JSON, where it was asked for and is safe for every client's parser.")
    members.add(optional: "jsonOmitted", jsonOmitted, "Why there is no json although it was asked for.")
    members.add(optional: "savedTo", savedTo, "The file that the body was written to.")
  }
}
