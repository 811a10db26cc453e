import Jansson

/// Carries one API call to its end: token, hops, the replay after a 401, and retries, each under its own rule.
package struct APICall: Sendable {
  /// What is told while a call runs.
  package enum Progress: Sendable {
    case progress(sent: Int, received: Int, total: Int?)
    /// False asks for the same piece again later.
    case piece(offset: Int, bytes: [UInt8])
  }

  /// How often one request is sent at the most because of failures that may pass, libcurl's own repetitions included.
  static let attemptLimit = 4

  let accounts: Accounts
  let request: APIRequest
  let onProgress: @Sendable (Progress) -> Bool

  /// Has the user grant what the service demands; false where it cannot be asked for.
  let stepUp: StepUp?

  package typealias StepUp = @Sendable (APIChallenge) async throws -> Bool

  package init(
    accounts: Accounts, request: APIRequest, stepUp: StepUp? = nil, onProgress: @escaping @Sendable (Progress) -> Bool
  ) {
    self.accounts = accounts
    self.request = request
    self.stepUp = stepUp
    self.onProgress = onProgress
  }

  package func run() async throws -> APIResponse {
    try request.check()
    var deadline = accounts.now + request.timeout
    let live = try await accounts.live(request.account, in: request.timeout, cause: request.cause)
    var refreshed = live.refreshed
    let sendings = Sendings(limit: Self.attemptLimit)
    var ready = try await prepared(live.grant, sendings, deadline)
    var hasReplayed = false
    var hasSignedAgain = false
    var hasSteppedUp = false
    while true {
      try Task.checkCancellation()
      sendings.beginAttempt()
      let grant = ready.grant
      let manner = ready.provider.api
      let credential = RequestCredential(grant: grant, provider: ready.provider, surroundings: accounts.surroundings)
      let result = await send(ready.request, credential, ready.provider, ready.hosts, sendings, deadline)
      var envelope: APIEnvelope?
      if case .success(let response, _) = result { envelope = APIEnvelope(response.body, manner) }
      var challenge: APIChallenge?
      if case .success(let response, true) = result, !credential.signs { challenge = APIChallenge(response) }
      if let demanded = challenge, !hasSteppedUp, let stepUp, try await stepUp(demanded) {
        hasSteppedUp = true
        // The user may have taken longer than the call has.
        deadline = accounts.now + request.timeout
        let wider = try await accounts.live(request.account, in: deadline - accounts.now, of: request.timeout, cause: request.cause).grant
        ready = try await prepared(wider, sendings, deadline)
        continue
      }
      if challenge == nil, case .success(let response, true) = result, let refusal = credential.refusal(response, envelope?.codeText) {
        if refusal == .signature, !hasSignedAgain {
          hasSignedAgain = true
          continue
        }
        if case .token(let isCertain) = refusal {
          if !hasReplayed, grant.canRefresh(at: accounts.now) {
            hasReplayed = true
            let fresh = try await inTime(deadline) { try await accounts.replace(grant, cause: request.cause) }
            ready = try await prepared(fresh, sendings, deadline)
            refreshed = true
            continue
          }
          if isCertain { try await inTime(deadline) { await accounts.end(grant) } }
        }
      }
      if let pause = pause(after: result, manner.rateLimit, attempts: sendings.count, deadline: deadline) {
        try await Pause.sleep(milliseconds: pause)
        continue
      }
      switch result {
      case .success(let response, _):
        let error = envelope?.error(
          status: response.status, hiding: Redaction([grant.accessToken, grant.tokenSecret].compactMap(\.self), provider: ready.provider))
        if response.isHeldBack, error == nil { try await deliver(response.body, to: ready.request.sink, deadline) }
        var answer = APIResponse(
          response, request, results: manner.apiErrors?.results, serviceError: error, refreshed: refreshed, attempts: sendings.count)
        answer.challenge = challenge
        answer.next = NextPage(url: ready.url, response: response, json: envelope?.json, manner: manner).url(
          without: grant.accessToken, request.method)
        return answer
      case .failure(.cancelled): throw CancellationError()
      case .failure(let failure): throw Self.saying(request, OAuthFailure(failure)).of(request.account)
      case .refused(let failure): throw Self.paramsFault(failure) ?? failure.of(request.account)
      }
    }
  }

  /// The request as a grant's provider wants it. A step-up or a replay may bring a grant whose variables or hosts are others.
  private struct Ready {
    var grant: Grant
    var provider: Provider
    var hosts: AllowedHosts
    var url: URLParts
    var request: HTTPRequest
  }

  private func prepared(_ grant: Grant, _ sendings: Sendings, _ deadline: Int) async throws -> Ready {
    var grant = grant
    if grant.provider["afterSignIn"] != nil {
      grant = try await inTime(deadline) { [accounts, request, grant] in await accounts.completed(grant, cause: request.cause) }
    }
    let provider = try grant.resolvedProvider
    let hosts = AllowedHosts(provider, and: request.endpoint)
    let url = try allowedTarget(provider, hosts)
    var outgoing = try await outgoing(url, provider)
    outgoing.mayBeSent = { sendings.maySendAgain() }
    return Ready(grant: grant, provider: provider, hosts: hosts, url: url, request: outgoing)
  }

  /// A body that was too large is told with what takes a larger one.
  private static func saying(_ request: APIRequest, _ failure: OAuthFailure) -> OAuthFailure {
    guard failure.kind == .responseTooLarge else { return failure }
    var told = failure
    told.message += request.isLarge ? ": maxBytes allows more" : ": maxBytes allows more, and saveTo or stream takes it in pieces"
    return told
  }

  enum Sent {
    /// `withCredential` tells whether the last hop got the token: one that did not get it says nothing about it.
    case success(HTTPResponse, withCredential: Bool)
    case failure(HTTPFailure)
    case refused(OAuthFailure)
  }
}
