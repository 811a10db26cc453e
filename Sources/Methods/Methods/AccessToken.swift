import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Store

/// Returns the access token, for a client that must send requests itself.
struct AccessToken: Method {
  static let name = "accessToken"
  static let errors = Errors.token

  private let account: String
  private let validity: Grant.Validity
  private let needsIDToken: Bool
  private let terms: TokenTerms
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    validity = try fields.minimumValidity(by: .handOut)
    needsIDToken = try fields.optional(
      "idToken", default: false, "Whether the client needs an ID token that is valid. The process refreshes it once if necessary.")
    terms = try TokenTerms(&fields)
    timeout = try fields.tokenTimeout()
  }

  private var use: TokenUse { TokenUse(validity: validity, idToken: needsIDToken ? .needed : .wanted) }

  /// Returns the stored token if it is valid. The task reports every failure, also that of a limit.
  func resultAtOnce(_ call: Call, _ service: Service) -> Result? {
    guard service.limits.allows(account: account),
      let grant = try? service.accounts.tokens(of: account, asking: terms).readOnThisThread(for: use),
      let result = try? Result(grant, at: service.accounts.now), service.accounts.recordUseAtOnce(account)
    else { return nil }
    return result
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account, preparesStore: false) {
      let deadline = service.accounts.clock.deadline(in: timeout)
      let grant = try await service.accounts.tokens(of: account, asking: terms).grant(for: use, in: timeout, requestID: call.id?.json).grant
      let result = try Result(grant, at: service.accounts.now)
      try await service.accounts.recordUse(account, by: Self.name, within: deadline.left)
      return result
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(accessToken: Secret(""), grant: .sample, idToken: nil) }

    var accessToken: Secret
    var grant: Grant
    var idToken: Secret?

    func list(_ members: inout ObjectWriter) {
      members.add("accessToken", accessToken, "The access token. A program that has it can use the account.")
      members.add(optional: "tokenSecret", grant.tokenSecret, "OAuth 1.0a: the token's secret, which signs requests.")
      members.add(optional: "tokenType", grant.tokenType, "The token's type.")
      members.add(optional: "expiresAt", grant.expiresAt, "When the access token expires, in Unix seconds.")
      members.add(
        optional: "idToken", idToken,
        "The ID token while it is valid. It tells a server which user signed in. A refresh may replace it.")
      members.add(
        optional: "idTokenExpiresAt", idToken == nil ? nil : grant.idTokenEnd, "When the ID token expires, in Unix seconds.")
    }
  }
}

extension AccessToken.Result {
  init(_ grant: Grant, at now: Int) throws {
    self.init(accessToken: try grant.bareToken(), grant: grant, idToken: grant.validIDToken(at: now))
  }
}
