import JSONRPC
import Jansson
import OAuth

struct AccessTokenWasRevoked: Event {
  static let name = "accessTokenWasRevoked"
  static let summary = "The process deleted the grant. `remote` says what the provider did."
  static var sample: AccessTokenWasRevoked { .init(account: "", request: .null, revocation: .sample) }

  var account: String
  var request: JSON?
  var revocation: Revocation

  var lines: [String] { ["\(account): the grant was deleted"] }

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    revocation.list(&members)
  }
}
