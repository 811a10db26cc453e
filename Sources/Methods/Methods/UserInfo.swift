import Calls
import JSONRPC
import Jansson
import OAuthCore

/// Returns the provider's claims about the user (OpenID Connect Core §5.3).
struct UserInfo: Method {
  static let name = "userInfo"
  static let errors = Errors.token + Errors.names(.serviceError)

  private let account: String
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    timeout = try fields.tokenTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account, within: timeout) {
      let response = try await service.accounts.requestUserInfo(of: account, in: timeout, requestID: call.id?.json)
      guard response.status < 400 else {
        service.notifier.notify(ErrorInResponse(account: account, request: call.id?.json, response: response))
        throw OAuthFailure.Reported(response.failure(account), isFinal: true)
      }
      let info = try await service.accounts.userInfo(in: response, of: account)
      service.notifier.notify(ResponseFromServiceWasReceived(account: account, request: call.id?.json, response: response))
      return Result(account: account, subject: info.subject, claims: info.claims)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(account: "", subject: "", claims: .object([])) }

    var account: String
    var subject: String?
    var claims: JSON

    func list(_ members: inout ObjectWriter) {
      members.add("account", account, "The account's name.")
      members.add(optional: "subject", subject, "The user's identifier at the provider: the claim `sub`.")
      members.add("claims", claims, "The provider's own object, or what `userInfoPath` of its description finds there.")
    }
  }
}
