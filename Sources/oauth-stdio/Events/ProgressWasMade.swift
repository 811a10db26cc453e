import JSONRPC
import Jansson

struct ProgressWasMade: Event {
  static let name = "progressWasMade"
  static let summary = "A long transfer continues. There are at most 10 such events in a second."
  static var sample: ProgressWasMade { .init(account: "", request: .null, sent: 0, received: 0, total: 0) }

  var account: String
  var request: JSON?
  var sent: Int
  var received: Int
  var total: Int?

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("sent", sent, "The number of sent bytes.")
    members.add("received", received, "The number of received bytes.")
    members.add(optional: "total", total, "The number of expected bytes, if the service tells it.")
  }
}
