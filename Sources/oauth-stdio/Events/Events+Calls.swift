import Jansson
import OAuth

extension APIResponse {
  static var sample: APIResponse { APIResponse(sample: ()) }

  /// Adds the body as the member that fits it. While describing, adds all of these members.
  func listBody(_ members: inout ObjectWriter) {
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
    members.add(optional: "body", text, "The body.")
    members.add(optional: "bodyEncoding", encoding, "The encoding of the body.")
    members.add(optional: "json", json, "The body as JSON, if the caller wanted it and every client can parse it.")
    members.add(optional: "jsonOmitted", jsonOmitted, "The reason why there is no `json` although the caller wanted it.")
    members.add(optional: "savedTo", savedTo, "The file with the body.")
  }
}
