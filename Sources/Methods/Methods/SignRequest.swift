import JSONRPC
import Jansson
import OAuth

/// Adds the credential to a request that the client sends itself.
struct SignRequest: Method {
  static let name = "authorizeRequest"
  static let summary =
    "Adds the account's credential to a request that the client sends itself. The request must go to one of the account's " + "hosts."
  static let errors = Errors.token
  static let example: MethodExample? = MethodExample(
    #"{"account":"me","url":"https://api.example.com/x"}"#,
    #"{"url":"https://api.example.com/x","headers":{"Authorization":"Bearer at-1"}}"#)

  private let account: String
  private let url: String
  private let method: String
  private let headers: NamedValues<String>
  private let body: String?
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    url = try fields.required("url", "The absolute URL of the request, or one relative to the provider's `apiBase`.")
    method = try fields.optional("method", default: "GET", "The request's HTTP method.")
    headers = try fields.optional("headers", default: .init(), "The headers that the request already has.")
    body = try fields.optional("body", "The request's body, if the credential covers it.")
    timeout = try fields.tokenTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account, within: timeout) {
      let deadline = service.accounts.clock.deadline(in: timeout)
      var request = APIRequest(account: account, url: url)
      request.method = method
      request.headers = headers
      request.timeout = timeout
      request.requestID = call.id?.json
      let authorized = try await APICall(accounts: service.accounts, request: request) { _ in true }
        .authorized(body: body)
      var sent: String?
      if case .bytes(let bytes) = authorized.body { sent = String(decoding: bytes, as: UTF8.self) }
      try await service.accounts.recordUse(account, by: Self.name, within: deadline.left)
      return Result(url: authorized.url, headers: NamedValues(authorized.headers.map { ($0.name, $0.value) }), body: sent)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(url: "", headers: .init(), body: "") }

    var url: String
    var headers: NamedValues<String>
    var body: String?

    func list(_ members: inout ObjectWriter) {
      members.add("url", url, "The URL of the request.")
      members.add("headers", headers, "The headers of the request, including the credential.")
      members.add(optional: "body", body, "The body of the request.")
    }
  }
}
