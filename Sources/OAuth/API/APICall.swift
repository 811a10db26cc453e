import HTTP
import OAuthCore
import Platform
import Store

/// Runs one API call: token, redirects, the replay after a 401, and retries. Each has its own rule.
package struct APICall: Sendable {
  /// Reports while a call runs.
  package enum Progress: Sendable {
    case progress(sent: Int, received: Int, total: Int?)
    /// A piece of a body may be received. The callback returns false to be asked again later.
    case readiness
    /// The callback returns false to receive the same piece again later.
    case piece(offset: Int, bytes: [UInt8])
  }

  /// How often one request is sent at most after temporary failures, including libcurl's own repetitions.
  static let attemptLimit = 4

  let accounts: Accounts
  let request: APIRequest
  let onProgress: @Sendable (Progress) -> Bool

  /// Asks the user to grant what the service demands; returns false if that is impossible.
  let stepUp: StepUp?

  package typealias StepUp = @Sendable (APIResponse.Challenge) async throws -> Bool

  package init(
    accounts: Accounts, request: APIRequest, stepUp: StepUp? = nil, onProgress: @escaping @Sendable (Progress) -> Bool
  ) {
    self.accounts = accounts
    self.request = request
    self.stepUp = stepUp
    self.onProgress = onProgress
  }

  var account: Account { accounts[request.account] }
  var limits: Limits { accounts.dependencies.limits }

  /// Rejects a call before its token or a file is read, or one hop to `url`. An endpoint of the provider is not the client's choice: the limits on
  /// calls also forbid the client to describe a provider.
  func checkLimits(_ method: String? = nil, _ url: URLParts? = nil) throws(OAuthFailure) {
    guard request.endpoint == nil else { return }
    do throws(OAuthFailure) {
      guard let url else { return try limits.check(call: request.method, headers: request.headers.pairs.map(\.name)) }
      try limits.check(call: method ?? request.method, to: url)
    } catch {
      throw error.of(request.account)
    }
  }

  package func run() async throws -> APIResponse {
    try request.check()
    try checkLimits()
    var deadline = accounts.clock.deadline(in: request.timeout)
    let live = try await account.grant(in: request.timeout, requestID: request.requestID)
    var refreshed = live.refreshed
    let sendings = Sendings(limit: Self.attemptLimit)
    var ready = try await prepared(live.grant, sendings, deadline)
    var hasReplayed = false
    var hasSignedAgain = false
    var hasSteppedUp = false
    var hasRestartedDownload = false
    while true {
      try Task.checkCancellation()
      sendings.beginAttempt()
      let grant = ready.grant
      let options = ready.provider.api
      let credential = RequestCredential(grant: grant, provider: ready.provider, dependencies: accounts.dependencies)
      var advice: OAuthFailure.Advice?
      let result = await send(ready.request, credential, grant, ready.provider, ready.hosts, sendings, deadline)
      var envelope: APIEnvelope?
      if case .success(let response, _) = result { envelope = APIEnvelope(response.body, options) }
      var challenge: APIResponse.Challenge?
      let hidden = Redaction([grant.accessToken, grant.tokenSecret].compactMap(\.self), provider: ready.provider)
      if case .success(let response, true) = result, !credential.signs { challenge = APIResponse.Challenge(response, hiding: hidden) }
      if let demanded = challenge, !hasSteppedUp, let stepUp, try await stepUp(demanded) {
        hasSteppedUp = true
        // The user may have taken longer than the call's time.
        deadline = accounts.clock.deadline(in: request.timeout)
        let wider = try await account.grant(in: request.timeout, requestID: request.requestID).grant
        ready = try await prepared(wider, sendings, deadline)
        continue
      }
      if challenge == nil, case .success(let response, true) = result, let rejection = credential.rejection(response, envelope?.codeText) {
        if rejection == .signature, !hasSignedAgain {
          hasSignedAgain = true
          continue
        }
        if case .token(let isCertain) = rejection {
          if !hasReplayed, grant.canRefresh(at: accounts.now) {
            hasReplayed = true
            let fresh = try await withinTimeout(deadline) { try await account.replaceRejected(grant, requestID: request.requestID) }
            ready = try await prepared(fresh, sendings, deadline)
            refreshed = true
            continue
          }
          advice = try await withinTimeout(deadline) { await account.wasRejected(grant, isCertain: isCertain) } ? .signIn : .signInAgain
        }
      } else if grant.doubtedAt != nil, case .success(let response, true) = result, (200..<300).contains(response.status) {
        try await withinTimeout(deadline) { await account.note(grant) { $0.doubtedAt = nil } }
      }
      // The service rejected the range (416), and the part on disk was removed. Start again from the first byte.
      if request.resumes, !hasRestartedDownload, case .success(let response, _) = result, response.status == 416 {
        hasRestartedDownload = true
        continue
      }
      if let pause = pause(after: result, options.rateLimit, attempts: sendings.count, deadline: deadline) {
        try await accounts.clock.sleep(milliseconds: pause)
        continue
      }
      switch result {
      case .success(var response, _):
        let error = envelope?.error(status: response.status, hiding: hidden)
        if response.isWithheld, error == nil { try await deliver(response.body, to: ready.request, deadline) }
        // Some services repeat the request in their errors.
        if response.status >= 400 || error != nil { response = response.hiding(hidden) }
        var answer = APIResponse(
          response, request, results: options.apiErrors?.results, serviceError: error, refreshed: refreshed, attempts: sendings.count)
        answer.advice = advice
        answer.challenge = challenge.flatMap { _ in APIResponse.Challenge(response, hiding: hidden) }
        answer.isLimited = options.rateLimit.isReached(response)
        answer.retryAfter = options.rateLimit.wait(after: response, at: accounts.now)
        answer.next = APIEnvelope.NextPage(url: ready.url, response: response, json: envelope?.json, options: options).url(
          without: grant.accessToken, request.method)
        return answer
      case .failure(.cancelled): throw CancellationError()
      case .failure(let failure):
        var failure = OAuthFailure(failure)
        if failure.kind == .responseTooLarge { failure.advice = .largerLimit(isLarge: request.isLarge) }
        throw failure.of(request.account)
      case .rejected(let failure): throw Self.paramsFault(failure) ?? failure.of(request.account)
      }
    }
  }

  /// The request in the form that a grant's provider needs. A step-up or replay may return a grant with other variables or hosts.
  private struct Ready {
    var grant: Grant
    var provider: Provider
    var hosts: AllowedHosts
    var url: URLParts
    var request: HTTPRequest
  }

  private func prepared(_ grant: Grant, _ sendings: Sendings, _ deadline: Clock.Deadline) async throws -> Ready {
    var grant = grant
    // Only a signature needs the client's secret.
    if grant.tokenSecret != nil { grant = try await withinTimeout(deadline) { [accounts, grant] in try await accounts.withSecret(grant) } }
    if grant.provider["afterSignIn"] != nil {
      grant = try await withinTimeout(deadline) { [account, request, grant] in
        await account.completed(grant, requestID: request.requestID)
      }
    }
    let provider = try grant.resolvedProvider
    let hosts = AllowedHosts(provider, and: request.endpoint)
    let url = try allowedTarget(provider, hosts)
    try checkLimits(request.method, url)
    var outgoing = try await outgoing(url, provider)
    if case .file(let path, let overwrites, _) = outgoing.sink, request.resumes {
      // A part belongs to the same request of the same login.
      let headers = outgoing.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
      let login = grant.login ?? grant.subject ?? ""
      outgoing.sink = .file(path: path, overwrites: overwrites, resource: "\(request.account)\n\(login)\n\(url)\n\(headers)")
    }
    outgoing.mayBeSent = { sendings.maySendAgain() }
    return Ready(grant: grant, provider: provider, hosts: hosts, url: url, request: outgoing)
  }

  enum Sent {
    /// `withCredential` says whether the last hop received the token. Without it, the response says nothing about the token.
    case success(HTTPResponse, withCredential: Bool)
    case failure(HTTPFailure)
    case rejected(OAuthFailure)
  }
}

extension APICall {
  /// Runs `work`, such as getting a new token, within the call's time.
  func withinTimeout<Value: Sendable>(_ deadline: Clock.Deadline, _ work: @escaping @Sendable () async throws -> Value) async throws
    -> Value
  {
    try await accounts.withinTimeout(request.account, deadline.left, of: deadline.seconds, work)
  }

  /// Returns the milliseconds to wait before the next attempt; nil if there is none.
  func pause(after result: Sent, _ limits: APIOptions.RateLimitHeaders, attempts: Int, deadline: Clock.Deadline) -> Int? {
    let isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.method.uppercased())
    guard request.retries ?? isIdempotent, attempts < Self.attemptLimit else { return nil }
    var pause = 250 << (attempts - 1)
    switch result {
    case .success(let response, _) where [502, 503, 504].contains(response.status) || limits.isReached(response):
      if let seconds = limits.wait(after: response, at: accounts.now) { pause = seconds * 1000 }
    case .failure(.network(_, "broken", answered: false)): break
    default: return nil
    }
    // A wait beyond the call's time is useless. The present response says more.
    return (pause + 999) / 1000 < deadline.left ? pause : nil
  }
}

extension APICall {
  /// Milliseconds before a blocked stream is tried again, the same as in libcurl's loop.
  private static let streamRetryIntervalMilliseconds = 20

  /// Writes a held-back body to the caller's sink.
  func deliver(_ body: [UInt8], to outgoing: HTTPRequest, _ deadline: Clock.Deadline) async throws {
    switch outgoing.sink {
    case .memory: break
    case .file(let path, let overwrites, let resource):
      do throws(OAuthFailure) {
        try await Blocking.run { () throws(OAuthFailure) in
          do throws(HTTPFailure) {
            let file = try DownloadFile(path: path, overwrites: overwrites, below: outgoing.filesRoot, resource: resource)
            file.forget()
            try file.write(body)
            try file.finish()
          } catch {
            throw OAuthFailure(error)
          }
        }
      } catch {
        throw error.of(request.account)
      }
    case .stream(let deliver):
      while !deliver(0, body) {
        guard deadline.left > 0 else {
          throw OAuthFailure(
            .timedOut, "the client did not read the body within \(request.timeout) s", isRetryable: true, account: request.account)
        }
        try await accounts.clock.sleep(milliseconds: Self.streamRetryIntervalMilliseconds)
      }
    }
  }
}
