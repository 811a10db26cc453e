import JSONRPC
import Jansson
import OAuth

/// Calls a service's API with the account's token, which the caller never sees.
struct CallAPI: TaskMethod {
  static let name = "callAPI"
  static let summary = "Calls the service's API with the account's token: refreshed when it has died, sent only where it may go."

  private let request: APIRequest
  private let stepUp: Bool

  init(_ fields: inout Fields) throws(FieldError) {
    let account = try fields.account()
    var request = APIRequest(account: account, url: try fields.required("url", "Absolute, or relative to the provider's API base."))
    request.method =
      try fields.optional("method", "Any method, written as it is sent, such as POST; GET by default, with a body too.") ?? "GET"
    request.query = try fields.optional("query", "Parameters to add to the URL; repeated names as arrays.") ?? .init()
    request.headers =
      try fields.optional(
        "headers", "Headers to send beside the credential, which takes the place of an Authorization of the caller's own.") ?? .init()
    request.body = try fields.optional("body", "The body, in exactly one of its spellings.")
    request.as =
      try fields.optional(
        "as",
        "How the response's body is wanted, text by default. results is the JSON that the provider's apiErrors.results names, without its "
          + "envelope.") ?? .text
    request.saveTo = try fields.optional(
      "saveTo", "The path of a file to write the body of a success to.")
    let overwrite = try fields.optional("overwrite", "Whether saveTo replaces a file that is there; never a file of another user.") ?? false
    request.overwrites = overwrite
    request.streams =
      try fields.optional("stream", "Whether the body of a success comes in bodyChunkWasReceived events; not with saveTo.") ?? false
    let timeout = try fields.optional("timeout", in: 1...86_400, "Seconds for the whole call; 60, or 3600 for files and streams.")
    request.maxBytes = try fields.optional(
      "maxBytes", in: 1...(1 << 40), "The largest body to take, in bytes; 8 MiB where it stands in the answer and nothing is said.")
    request.retries = try fields.optional("retry", "Whether to try again: false never, true for any method; idempotent ones by themselves.")
    request.parameters = try fields.optional(
      "parameters", "Names and values, sent in the query, or in the body of POST, PUT and PATCH as the provider wants them.")
    stepUp =
      try fields.optional(
        "stepUp",
        "Whether to have the user grant what a 403 insufficient_scope or a 401 insufficient_user_authentication demands, and to repeat the call once."
      )
      ?? false
    request.timeout = timeout ?? (request.isLarge ? 3600 : 60)
    if !fields.isDescribing {
      if let path = request.saveTo, path.isEmpty || path.utf8.contains(0) { throw FieldError(fields.pointer("saveTo"), "is no path") }
      if request.saveTo != nil, request.method.uppercased() == "HEAD" { throw FieldError(fields.pointer("saveTo"), "cannot go with HEAD") }
      if request.saveTo == nil, overwrite { throw FieldError(fields.pointer("overwrite"), "goes with saveTo alone") }
      if request.saveTo != nil, request.streams { throw FieldError(fields.pointer("stream"), "cannot go together with saveTo") }
    }
    self.request = request
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    var request = request
    request.cause = call.id?.json
    let sent = request
    return try await service.telling(call, sent.account) {
      let progress = CallProgress(request: sent, service: service)
      let response = try await APICall(
        accounts: service.accounts, request: sent, stepUp: stepUp ? stepUp(service, sent) : nil, onProgress: progress.tell
      ).run()
      guard !response.isFailure else {
        service.notifier.notify(
          ErrorInResponse(account: sent.account, request: sent.cause, response: response, includesBody: call.id == nil))
        var failure = response.failure(sent.account)
        failure.wasTold = true
        throw failure
      }
      service.notifier.notify(
        ResponseFromServiceWasReceived(account: sent.account, request: sent.cause, response: response, includesBody: call.id == nil))
      return Result(response: response)
    }
  }

  /// Asks as `addScopes` does, whose configured values it takes.
  private func stepUp(_ service: Service, _ call: APIRequest) -> APICall.StepUp {
    { challenge in
      let configured = try service.configuration.account(call.account)
      var request = AuthorizeRequest()
      request.account = call.account
      request.redirectUri = configured?.redirectUri
      request.opensBrowser = configured?.openBrowser ?? !service.clientOpensPages.load(ordering: .relaxed)
      request.timeout = configured?.timeout ?? 300
      request.parameters = configured?.parameters ?? .init()
      request.cause = call.cause
      guard challenge.add(to: &request) else { return false }
      try await AddScopes.addSecret(to: &request, of: call.account, configured, service)
      _ = try await service.accounts.addScopes(request)
      return true
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(response: .sample) }

    var response: APIResponse

    func list(_ members: inout Members) {
      members.add("status", response.status, "The HTTP status.")
      members.add("headers", response.headerFields, "The response's headers, names in lower case.")
      response.listBody(&members)
      members.add("bytes", response.bytes, "How many bytes of body came.")
      members.add(optional: "refreshed", response.refreshed ? true : nil, "Whether the token was replaced on the way.")
      members.add(optional: "next", response.next, "The URL of the next page, where the service names one.")
      members.add("attempts", response.attempts, "How often the request was sent, redirects aside.")
    }
  }
}

/// Turns a transfer's progress into events.
private struct CallProgress: Sendable {
  /// Bytes that may wait to be written before a stream is paused: a client that reads slowly must not fill our memory.
  private static let backlog = 4 << 20

  let request: APIRequest
  let service: Service
  private let began: Int

  init(request: APIRequest, service: Service) {
    self.request = request
    self.service = service
    began = service.accounts.now
  }

  func tell(_ progress: APICall.Progress) -> Bool {
    switch progress {
    case .progress(let sent, let received, let total):
      // A transfer that is over within the second is no long one.
      guard service.accounts.now > began + 1 else { return true }
      service.notifier.notify(
        ProgressWasMade(account: request.account, request: request.cause, sent: sent, received: received, total: total))
      return true
    case .piece(let offset, let bytes):
      guard service.output.pendingBytes < Self.backlog else { return false }
      service.notifier.notify(BodyChunkWasReceived(account: request.account, request: request.cause, offset: offset, chunk: bytes))
      return true
    }
  }
}
