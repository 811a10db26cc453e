import Calls
import JSONRPC
import Jansson
import OAuthCore
import Plans
import Store

/// Calls a service's API with the account's token, which the caller never sees.
struct CallAPI: Method {
  static let name = "callAPI"
  static let errors = Errors.call

  private let request: APIRequest
  private let stepUp: Bool

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let account = try fields.account()
    var request = APIRequest(
      account: account, url: try fields.required("url", "The absolute URL, or one relative to the provider's `apiBase`."))
    request.method = try fields.optional("method", default: "GET", "The HTTP method as it is sent, such as `POST`.")
    request.query = try fields.optional("query", default: .init(), "Parameters of the URL's query. An array repeats its name.")
    request.headers = try fields.optional(
      "headers", default: .init(), "The headers of the request. The credential replaces an `Authorization` header.")
    request.body = try fields.optional("body", "The body. It has exactly one of these members.")
    request.as = try fields.optional("as", default: .text, "The form of the response's body in the answer.")
    request.saveTo = try fields.optional("saveTo", "The path of a file for the body of a success.")
    request.overwrites = try fields.optional(
      "overwrite", default: false, "Whether `saveTo` replaces an existing file. It never replaces a file of another user.")
    request.resumes = try fields.optional(
      "resume", default: false,
      "Whether `saveTo` continues a download that broke off. The received part is kept in a file with the suffix `.oauth-stdio-part` if the service names the version."
    )
    request.streams = try fields.optional(
      "stream", default: false, "Whether `bodyChunkWasReceived` events carry the body of a success. It excludes `saveTo`.")
    let timeout = try fields.optional(
      "timeout", in: 1...86_400, "The seconds for the whole call. Without it, they are 60, or 3600 for files and streams.")
    request.maxBytes = try fields.optional(
      "maxBytes", in: 1...(1 << 40), "The largest body in bytes. Without it, a body in the answer has at most 8 MiB.")
    request.retries = try fields.optional(
      "retry", "Whether the process repeats a failed request. Without it, the process repeats idempotent methods only.")
    request.parameters = try fields.optional(
      "parameters", "Names and values. The process sends them in the query, or in the body of POST, PUT and PATCH in the provider's format."
    )
    request.terms = try TokenTerms(&fields)
    stepUp = try fields.optional(
      "stepUp", default: false,
      "Whether the process asks the user for what a 403 `insufficient_scope`, a 401 `insufficient_user_authentication` "
        + "or a challenge's `claims` demand. It then repeats the call, at most twice.")
    request.timeout = timeout ?? (request.isLarge ? 3600 : 60)
    if let path = request.saveTo, path.isEmpty || path.utf8.contains(0) { throw FieldError(fields.pointer("saveTo"), "must be a path") }
    if request.saveTo != nil, request.method.uppercased() == "HEAD" {
      throw FieldError(fields.pointer("saveTo"), "cannot be used with HEAD")
    }
    if request.saveTo == nil, request.resumes { throw FieldError(fields.pointer("resume"), "needs saveTo") }
    if request.saveTo == nil, request.overwrites { throw FieldError(fields.pointer("overwrite"), "needs saveTo") }
    if request.saveTo != nil, request.streams { throw FieldError(fields.pointer("stream"), "cannot be combined with saveTo") }
    self.request = request
  }

  /// It mostly waits for the network.
  func executor(_ service: Service) -> (any TaskExecutor)? { service.accounts.dependencies.http as? any TaskExecutor }

  func run(_ call: Call, _ service: Service) async throws -> APIResponse {
    try await service.reportingFailure(call, request.account, preparesStore: false) {
      try reported(await apiCall(call, service).run(), call, service)
    }
  }

  private func apiCall(_ call: Call, _ service: Service) throws -> APICall {
    var sent = request
    sent.requestID = call.id?.json
    let (began, body) = (service.accounts.now, Output.Body(service.notifier.output))
    return try APICall(accounts: service.accounts, request: sent, stepUp: stepUp ? stepUp(service, call) : nil) { [sent] in
      Self.emit($0, sent, service, since: began, body)
    }
  }

  /// Reports the response as an event. Throws if it is a failure.
  private func reported(_ response: APIResponse, _ call: Call, _ service: Service) throws -> APIResponse {
    let (account, id) = (request.account, call.id?.json)
    guard !response.isFailure else {
      service.notifier.notify(ErrorInResponse(account: account, request: id, response: response))
      throw OAuthFailure.Reported(response.failure(account), isFinal: true)
    }
    service.notifier.notify(ResponseFromServiceWasReceived(account: account, request: id, response: response))
    return response
  }

  /// Asks the user for more scopes like `addScopes`, with the same configured values.
  /// Returns nil if the limits do not allow that.
  private func stepUp(_ service: Service, _ call: Call) -> APICall.StepUp? {
    guard Methods.all.contains(where: { $0.name == AddScopes.name && service.limits.allows($0) }) else { return nil }
    return { challenge in
      try await service.accounts.stepUp(challenge, service.completed(AuthorizationInput(account: request.account), call))
    }
  }
}

extension APIResponse: JSONObjectConvertible {
  package func list(_ members: inout ObjectWriter) {
    members.add("status", status, "The HTTP status.")
    members.add("headers", headerFields, "The response's headers, with names in lower case.")
    listBody(&members)
    members.add("bytes", bytes, "The size of the response's body in bytes.")
    members.add(optional: "refreshed", refreshed ? true : nil, "Whether the process replaced the token during the call.")
    members.add(optional: "next", next, "The URL of the next page, if there is one.")
    members.add(optional: "nextProblem", nextProblem, "Why the next page that the service names is not used.")
    members.add(
      "attempts", attempts,
      "The number of times that the process sent the request, without redirects and without what libcurl repeats by itself.")
  }
}

extension CallAPI {
  /// In bytes. A stream pauses when this much waits to be written, so a slow client does not fill our memory.
  private static let backlog = 4 << 20

  /// Turns the progress of a transfer that began at a time into events.
  private static func emit(
    _ progress: APICall.Progress, _ request: APIRequest, _ service: Service, since began: Int, _ body: Output.Body
  ) -> Bool {
    switch progress {
    case .readiness(let bytes): return request.isLarge ? !service.notifier.output.isFull : body.mayHave(bytes)
    case .failure:
      body.giveWay()
      return true
    case .progress(let sent, let received, let total):
      // A transfer of up to one second needs no progress event.
      guard service.accounts.now > began + 1 else { return true }
      service.notifier.notify(
        ProgressWasMade(account: request.account, request: request.requestID, sent: sent, received: received, total: total))
      return true
    case .piece(let offset, let bytes):
      guard service.notifier.output.pendingBytes < backlog else { return false }
      service.notifier.notify(BodyChunkWasReceived(account: request.account, request: request.requestID, offset: offset, chunk: bytes))
      return true
    }
  }
}
