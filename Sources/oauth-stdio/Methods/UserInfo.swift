import JSONRPC
import Jansson
import OAuth

/// What the provider tells of the user (OpenID Connect Core, 5.3).
struct UserInfo: TaskMethod {
  static let name = "userInfo"
  static let summary = "What the provider tells of the user at its userinfo endpoint; only about the user who signed in."

  private let account: String
  private let timeout: Int

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
    timeout = try fields.tokenTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      let request = UserInfoRequest(account: account, timeout: timeout, cause: call.id?.json, accounts: service.accounts)
      let response = try await request.send()
      guard response.status < 400 else {
        service.notifier.notify(
          ErrorInResponse(account: account, request: call.id?.json, response: response, includesBody: call.id == nil))
        var failure = response.failure(account)
        failure.wasTold = true
        throw failure
      }
      let info = try request.read(response)
      service.notifier.notify(
        ResponseFromServiceWasReceived(account: account, request: call.id?.json, response: response, includesBody: call.id == nil))
      return Result(account: account, subject: info.subject, claims: info.claims)
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(account: "", subject: "", claims: .object([])) }

    var account: String
    var subject: String?
    var claims: JSON

    func list(_ members: inout Members) {
      members.add("account", account, "The account that was asked for.")
      members.add(optional: "subject", subject, "The user's name with the provider, the claim sub.")
      members.add("claims", claims, "The provider's own object, as it came.")
    }
  }
}
