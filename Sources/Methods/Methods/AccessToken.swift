import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Store

/// Returns the access token, for a client that must send requests itself.
struct AccessToken: Method {
  static let name = "accessToken"
  static let summary = "Returns the account's access token. The process refreshes it first if necessary."
  static let errors = Errors.token
  static let example: MethodExample? = MethodExample(
    #"{"account":"me"}"#,
    #"{"accessToken":"at-1","tokenType":"Bearer","expiresAt":1795231455}"#)

  private let account: String
  private let minimumValidity: Int?
  private let needsIDToken: Bool
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    minimumValidity = try fields.optional(
      "minimumValidity", in: 0...31_536_000,
      "The seconds for which the token must stay valid. The default is 60, or a quarter of the token's lifetime if that "
        + "is shorter.")
    needsIDToken = try fields.optional(
      "idToken", default: false, "Whether the client needs an ID token that is valid. The process refreshes it once if necessary.")
    timeout = try fields.tokenTimeout()
  }

  private var use: TokenUse { TokenUse(validity: minimumValidity, idToken: needsIDToken ? .needed : .wanted) }

  /// Returns the stored token if it is valid. The task reports every failure, also that of a limit.
  func resultAtOnce(_ call: Call, _ service: Service) -> Result? {
    guard service.limits.allows(account: account),
      let grant = service.accounts[account].readOnThisThread(for: use),
      let result = try? Result(grant, at: service.accounts.now), service.accounts.recordUseAtOnce(account)
    else { return nil }
    return result
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account, within: timeout) {
      let deadline = service.accounts.clock.deadline(in: timeout)
      let grant = try await service.accounts[account].grant(for: use, in: timeout, requestID: call.id?.json).grant
      let result = try Result(grant, at: service.accounts.now)
      try await service.accounts.recordUse(account, by: Self.name, within: deadline.left)
      return result
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result {
      Result(accessToken: Secret(""), tokenSecret: Secret(""), tokenType: "", expiresAt: 0, idToken: Secret(""), idTokenExpiresAt: 0)
    }

    var accessToken: Secret
    var tokenSecret: Secret?
    var tokenType: String?
    var expiresAt: Int?
    var idToken: Secret?
    var idTokenExpiresAt: Int?

    func list(_ members: inout ObjectWriter) {
      members.add("accessToken", accessToken, "The access token. A program that has it can use the account.")
      members.add(optional: "tokenSecret", tokenSecret, "OAuth 1.0a: the token's secret, which signs requests.")
      members.add(optional: "tokenType", tokenType, "The token's type.")
      members.add(optional: "expiresAt", expiresAt, "When the access token expires, in Unix seconds.")
      members.add(
        optional: "idToken", idToken,
        "The ID token while it is valid. It tells a server which user signed in. A refresh may replace it.")
      members.add(optional: "idTokenExpiresAt", idTokenExpiresAt, "When the ID token expires, in Unix seconds.")
    }
  }
}

extension AccessToken.Result {
  fileprivate init(_ grant: Grant, at now: Int) throws {
    let idToken = grant.validIDToken(at: now)
    self.init(
      accessToken: try grant.usableToken(), tokenSecret: grant.tokenSecret, tokenType: grant.tokenType, expiresAt: grant.expiresAt,
      idToken: idToken, idTokenExpiresAt: idToken == nil ? nil : grant.idTokenEnd)
  }
}
