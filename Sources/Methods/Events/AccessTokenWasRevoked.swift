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

  var lines: [String] {
    switch revocation.remote {
    case .revoked: ["\(account): signed out, here and at the provider"]
    case .partial: ["\(account): signed out, but the provider may keep one of the tokens"]
    case .unsupported: ["\(account): signed out here; the provider revoked nothing"]
    }
  }

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    revocation.list(&members)
  }
}
