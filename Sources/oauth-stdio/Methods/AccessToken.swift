import JSONRPC
import Jansson
import OAuth

/// Hands the access token out, for a client that has to send requests itself.
struct AccessToken: TaskMethod {
  static let name = "accessToken"
  static let summary = "The account's access token, refreshed where that is needed."

  private let account: String
  private let minimumValidity: Int?
  private let timeout: Int

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
    minimumValidity = try fields.optional(
      "minimumValidity", in: 0...31_536_000,
      "Seconds that the token has to live; by default a minute, or a quarter of its lifetime if that is shorter.")
    timeout = try fields.tokenTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      let grant = try await service.accounts.live(
        account, validity: minimumValidity, withIDToken: true, in: timeout, cause: call.id?.json
      ).grant
      return Result(
        accessToken: try grant.usableToken(), tokenSecret: grant.tokenSecret, tokenType: grant.tokenType, expiresAt: grant.expiresAt,
        idToken: grant.idToken)
    }
  }

  struct Result: Answer {
    static var sample: Result {
      Result(accessToken: Secret(""), tokenSecret: Secret(""), tokenType: "", expiresAt: 0, idToken: Secret(""))
    }

    var accessToken: Secret
    var tokenSecret: Secret?
    var tokenType: String?
    var expiresAt: Int?
    var idToken: Secret?

    func list(_ members: inout Members) {
      members.add("accessToken", accessToken, "The token; any program that has it can use the account.")
      members.add(optional: "tokenSecret", tokenSecret, "OAuth 1.0a: its other half, which signs.")
      members.add(optional: "tokenType", tokenType, "How it is presented.")
      members.add(optional: "expiresAt", expiresAt, "When it ends, in Unix seconds.")
      members.add(
        optional: "idToken", idToken,
        "The last ID token that came, for a server that wants to know who signed in; a new one where a refresh brings one.")
    }
  }
}
