import Calls
import JSONRPC
import Jansson
import OAuth
import Store

/// Adds the credential to a request that the client sends itself.
struct SignRequest: Method {
  static let name = "authorizeRequest"
  static let errors = Errors.token

  private var request: APIRequest
  private let body: String?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let account = try fields.account()
    request = APIRequest(
      account: account, url: try fields.required("url", "The absolute URL of the request, or one relative to the provider's `apiBase`."))
    request.method = try fields.optional("method", default: "GET", "The request's HTTP method.")
    request.headers = try fields.optional("headers", default: .init(), "The headers that the request already has.")
    request.validity = .handOut
    body = try fields.optional("body", "The request's body, if the credential covers it.")
    request.terms = try TokenTerms(&fields)
    request.timeout = try fields.tokenTimeout()
    request.dpopNonce = try fields.optional(
      "dpopNonce", "The last header `DPoP-Nonce` of the service, for a token that is bound to a key (RFC 9449, 9).")
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, request.account, preparesStore: false) {
      let deadline = service.accounts.clock.deadline(in: request.timeout)
      var request = request
      request.requestID = call.id?.json
      let authorized = try await APICall(accounts: service.accounts, request: request) { _ in true }
        .authorized(body: body)
      var sent: String?
      if case .bytes(let bytes) = authorized.body { sent = String(decoding: bytes, as: UTF8.self) }
      try await service.accounts.recordUse(request.account, by: Self.name, within: deadline.left)
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
