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
  private let explain: Bool
  private let timeout: Int

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
    url = try fields.required("url", "Where the request goes; absolute, or relative to the provider's API base.")
    method = try fields.optional("method", "The request's method; GET by default.") ?? "GET"
    headers = try fields.optional("headers", "The headers that it has already.") ?? .init()
    body = try fields.optional("body", "Its body, where that takes part in the credential.")
    explain =
      try fields.optional("explain", "OAuth 1.0a: whether to tell what was signed, to find out why a service refuses it.")
      ?? false
    timeout = try fields.tokenTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      var request = APIRequest(account: account, url: url)
      request.method = method
      request.headers = headers
      request.timeout = timeout
      request.cause = call.id?.json
      let (authorized, explanation) = try await APICall(accounts: service.accounts, request: request) { _ in true }
        .authorized(body: body, explains: explain)
      var sent: String?
      if case .bytes(let bytes) = authorized.body { sent = String(decoding: bytes, as: UTF8.self) }
      return Result(
        url: authorized.url, headers: NamedValues(authorized.headers.map { ($0.name, $0.value) }), body: sent,
        explanation: explanation.map(ExplanationValue.init))
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(url: "", headers: .init(), body: "", explanation: .sample) }

    var url: String
    var headers: NamedValues<String>
    var body: String?
    var explanation: ExplanationValue?

    func list(_ members: inout Members) {
      members.add("url", url, "Where to send it.")
      members.add("headers", headers, "The headers to send, the credential among them.")
      members.add(optional: "body", body, "The body to send.")
      members.add(optional: "explanation", explanation, "What was signed; every secret stands as ….")
    }
  }
}

/// What a signature covers (RFC 5849, 3.4.1), which GTMOAuth logged when built with GTL_DEBUG_OAUTH_SIGNING.
struct ExplanationValue: AnswerValue {
  static var sample: ExplanationValue { ExplanationValue(explanation: .sample) }

  var explanation: OAuth1Explanation

  func list(_ members: inout Members) {
    members.add("signatureMethod", explanation.signatureMethod, "How it is signed (RFC 5849, 3.4).")
    members.add("method", explanation.method, "The request's method.")
    members.add("baseStringUri", explanation.baseStringUri, "The URL without its query, as it is signed (RFC 5849, 3.4.1.2).")
    members.add(
      "normalizedParameters", explanation.normalizedParameters.map { NormalizedParameter(parameter: $0) },
      "Names and values as they are signed, encoded once and in their order (RFC 5849, 3.4.1.3.2).")
    members.add(optional: "baseString", explanation.baseString, "The text that is signed (RFC 5849, 3.4.1.1); none with PLAINTEXT.")
    members.add("key", explanation.key, "What signs it.")
  }
}

struct NormalizedParameter: AnswerValue {
  static var sample: NormalizedParameter { NormalizedParameter(parameter: OAuth1Parameter("", "")) }

  var parameter: OAuth1Parameter

  func list(_ members: inout Members) {
    members.add("name", parameter.name, "The parameter's name.")
    members.add("value", parameter.value, "Its value, or … where that is a secret.")
  }
}
