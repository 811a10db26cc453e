import JSONRPC
import Jansson

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
