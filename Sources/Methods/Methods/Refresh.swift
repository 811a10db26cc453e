import JSONRPC
import Jansson
import Store

/// Renews the access token unless it is valid long enough. Never opens a page.
struct Refresh: Method {
  static let name = "refresh"
  static let errors = Errors.token

  private let account: String
  private let validity: Grant.Validity
  private let force: Bool
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    validity = try fields.minimumValidity(by: .use)
    force = try fields.optional("force", default: false, "Whether the process replaces a token that is still valid.")
    timeout = try fields.tokenTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Authorize.Result {
    try await service.reportingFailure(call, account, within: timeout) {
      let outcome = try await service.accounts.withinTimeout(account, timeout) {
        try await service.accounts.tokens(of: account).refresh(validity: validity, force: force, requestID: call.id?.json)
      }
      return Authorize.Result(authorization: outcome.authorization, refreshed: outcome.refreshed)
    }
  }
}
