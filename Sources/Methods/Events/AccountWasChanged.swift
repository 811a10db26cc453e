import JSONRPC
import Jansson
import OAuth

package struct AccountWasChanged: Event {
  package static let name = "accountWasChanged"
  package static let summary =
    "An account's grant changed, by a request of this process or by another process with the same store. A change that "
    + "`account` or `accounts` has already shown causes no event."
  package static var sample: AccountWasChanged { .init(account: "", change: .signedIn, origin: .here) }

  var account: String
  var change: AccountEvent.Change
  var origin: AccountEvent.Origin

  package func list(_ members: inout ObjectWriter) {
    members.add("account", account, "The account's name.")
    members.add("change", change, "The change. Several quick changes by another process count as the last one.")
    members.add("by", origin, "The process that made the change.")
  }
}
