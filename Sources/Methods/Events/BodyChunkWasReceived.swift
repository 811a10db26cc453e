import JSONRPC
import Jansson
import OAuthCore

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
    if isCleanUTF8(chunk) {
      members.add("chunk", String(decoding: chunk, as: UTF8.self), "The piece.")
      members.add("encoding", BodyEncoding.utf8, "The encoding of the piece.")
    } else {
      members.add("chunk", Base64.encode(chunk), "The piece.")
      members.add("encoding", BodyEncoding.base64, "The encoding of the piece.")
    }
  }
}
