import JSONRPC
import Jansson
import OAuth

/// Puts the credential into a request that the client sends itself.
struct AuthorizeRequestMethod: TaskMethod {
  static let name = "authorizeRequest"
  static let summary = "Puts the account's credential into a request that the client sends itself; only to hosts that it may go to."

  private let account: String
  private let url: String
  private let method: String
  private let headers: NamedValues<String>
  private let body: String?

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
    url = try fields.required("url", "Where the request goes; absolute, or relative to the provider's API base.")
    method = try fields.optional("method", "The request's method; GET where nothing is said.") ?? "GET"
    headers = try fields.optional("headers", "The headers that it has already.") ?? .init()
    body = try fields.optional("body", "Its body, where that takes part in the credential.")
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      var request = APIRequest(account: account, url: url)
      request.method = method
      request.headers = headers
      request.cause = call.id?.json
      let authorized = try await APICall(accounts: service.accounts, request: request) { _ in true }.authorized(body: body)
      var sent: String?
      if case .bytes(let bytes) = authorized.body { sent = String(decoding: bytes, as: UTF8.self) }
      return Result(url: authorized.url, headers: NamedValues(authorized.headers.map { ($0.name, $0.value) }), body: sent)
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(url: "", headers: .init(), body: "") }

    var url: String
    var headers: NamedValues<String>
    var body: String?

    func list(_ members: inout Members) {
      members.add("url", url, "Where to send it.")
      members.add("headers", headers, "The headers to send, the credential among them.")
      members.add(optional: "body", body, "The body to send.")
    }
  }
}
