import JSONRPC
import Jansson

struct AccessTokenWasRefreshed: Event {
  static let name = "accessTokenWasRefreshed"
  static let summary = "The process stored a new access token."
  static var sample: AccessTokenWasRefreshed { .init(account: "", request: .null, expiresAt: 0, refreshTokenChanged: false) }

  var account: String
  var request: JSON?
  var expiresAt: Int?
  var refreshTokenChanged: Bool

  var lines: [String] { ["\(account): the access token was refreshed"] }

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add(optional: "expiresAt", expiresAt, "When the access token expires, in Unix seconds.")
    members.add("refreshTokenChanged", refreshTokenChanged, "Whether the provider replaced the refresh token too.")
  }
}
