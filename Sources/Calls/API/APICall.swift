import OAuth
import OAuthCore
import Platform
import Store

/// Runs one API call: its token, its redirects, and the rules by which it is sent again.
package final class APICall: Sendable {
  /// Reports while a call runs.
  package enum Progress: Sendable {
    case progress(sent: Int, received: Int, total: Int?)
    /// A piece of a body of so many bytes, so far or announced, may be received. The callback returns false to be asked again later.
    case readiness(bytes: Int)
    /// The callback returns false to receive the same piece again later.
    case piece(offset: Int, bytes: [UInt8])
    /// The service has answered with an error. The request may be sent again, after a pause or a sign-in.
    case failure
  }

  /// How often one request is sent at most after temporary failures.
  static let attemptLimit = 4

  let accounts: Accounts
  let request: APIRequest
  let tokens: AccountTokens
  /// The account with the login.
  let account: Account
  let onProgress: @Sendable (Progress) -> Bool

  /// Asks the user to grant what the service demands; returns false if that is impossible.
  let stepUp: StepUp?

  package typealias StepUp = @Sendable (APIResponse.Challenge) async throws -> Bool

  package init(accounts: Accounts, request: APIRequest, stepUp: StepUp? = nil, onProgress: @escaping @Sendable (Progress) -> Bool) throws {
    tokens = try accounts.tokens(of: request.account, asking: request.terms)
    (self.accounts, self.request, account) = (accounts, request, tokens.login)
    (self.stepUp, self.onProgress) = (stepUp, onProgress)
  }

  package func run() async throws -> APIResponse {
    let state = try await perform()
    return try await naming { try await answer(received(state), state) }
  }

  /// Sends the request, and again as long as a rule wants that.
  func perform() async throws -> State {
    let deadline = accounts.clock.deadline(in: request.timeout)
    let ready = try await prepared(by: deadline)
    var state = State(deadline: deadline, ready: ready, refreshed: ready.refreshed)
    sending: while true {
      try Task.checkCancellation()
      await send(&state)
      for rule in Rule.allCases where rule == .pause || state.used.count(where: { $0 == rule }) < rule.turns {
        guard try await applies(rule, &state) else { continue }
        state.used.append(rule)
        continue sending
      }
      return state
    }
  }

  /// Sends the request, and reads what the response says about the call and its token.
  private func send(_ state: inout State) async {
    let credential = state.ready.credential
    (state.envelope, state.challenge, state.rejection, state.tokenWasSent) = (nil, nil, nil, false)
    state.attempts += 1
    do {
      let response: HTTPResponse
      (response, state.tokenWasSent) = try await send(&state, credential)
      state.result = .success(response)
      if response.status >= 400 { _ = onProgress(.failure) }
      if credential.resolved.provider.api.readsBody { state.envelope = APIEnvelope(response.body, credential.resolved.provider.api) }
      if request.passing != nil { state.deadline = accounts.clock.deadline(in: request.timeout) }
      // Without the token, the response says nothing about it. What is passed on already cannot be sent again.
      guard state.tokenWasSent, request.passing == nil || response.isWithheld else { return }
      if !credential.signs, [401, 403].contains(response.status) { state.challenge = .init(response, hiding: state.ready.hidden) }
      if state.challenge == nil { state.rejection = credential.rejection(response, state.envelope?.codeText) }
    } catch {
      state.result = .failure(error)
    }
  }

  /// Returns the service's last response, or throws why there is none.
  func received(_ state: State) throws -> HTTPResponse {
    switch state.result {
    case .success(let response): return response
    case .failure(let failure as HTTPFailure) where failure != .cancelled:
      var failure = OAuthFailure(failure)
      if failure.kind == .responseTooLarge { failure.advice = .largerLimit(isLarge: request.isLarge) }
      throw failure
    case .failure(let failure as OAuthFailure): throw failure
    case .failure(let failure as BodyIsGone): throw failure
    case .failure: throw CancellationError()
    }
  }

  /// Records what the service says about the token. Returns what the user can do if the service rejects it.
  func conclude(_ received: HTTPResponse, _ state: State) async throws -> OAuthFailure.Advice? {
    let (grant, options) = (state.ready.grant, state.ready.resolved.provider.api)
    var advice: OAuthFailure.Advice?
    if case .token(let isCertain) = state.rejection {
      // A refresh did not help, so the metadata is read again, whatever it said a moment ago.
      if state.used.contains(.newToken), received.status == 401, tokens.terms == nil {
        try await accounts.heed(.init(received), from: state.ready.url, of: grant, patience: 0)
      }
      if grant.dpopKey == nil, HTTPChallenge.Resource(received).demandsDPoP {
        // It says nothing about the login.
        advice = .bindTokens
      } else {
        let hasEnded = try await withinTimeout(state.deadline) { [self] in await tokens.wasRejected(grant, isCertain: isCertain) }
        // No user signs in for the client's own token.
        advice = grant.isForClient || tokens.terms != nil ? nil : hasEnded ? .signIn : .signInAgain
        let isChosen = state.ready.resolved.provider.tokenResponse.tokenType != nil || options.apiCredential.scheme != nil
        if let type = grant.tokenType, !["Bearer", "DPoP", Grant.signedTokenType].contains(type), !isChosen { advice = .tokenType(type) }
      }
    } else if grant.doubtedAt != nil, state.tokenWasSent, state.rejection == nil, (200..<300).contains(received.status) {
      try await withinTimeout(state.deadline) { [self] in await account.note(grant) { $0.doubtedAt = nil } }
    }
    return advice
  }

  private func answer(_ received: HTTPResponse, _ state: State) async throws -> APIResponse {
    let (grant, options) = (state.ready.grant, state.ready.resolved.provider.api)
    let advice = try await conclude(received, state)
    let error = state.envelope?.error(status: received.status, hiding: state.ready.hidden)
    if received.isWithheld, error == nil { try await deliver(received.body, to: state.ready.request, state.deadline) }
    // Some services repeat the request in their errors.
    let response = received.status >= 400 || error != nil ? received.hiding(state.ready.hidden) : received
    var answer = APIResponse(
      response, request, results: options.apiErrors?.results, serviceError: error, refreshed: state.refreshed,
      attempts: state.attempts)
    if answer.isFailure {
      answer.advice = advice
      if state.challenge != nil { answer.challenge = .init(response, hiding: state.ready.hidden) }
      answer.isLimited = options.rateLimit.isReached(response)
      answer.retryAfter = options.rateLimit.wait(after: response, at: accounts.now)
    }
    if let pagination = options.pagination {
      let page = APIEnvelope.NextPage(
        url: state.ready.url, response: response, json: state.envelope?.json, pagination: pagination, options: options)
      (answer.next, answer.nextProblem) = page.url(without: grant.accessToken, request.method)
    }
    return answer
  }
}

// MARK: Sending again
extension APICall {
  /// Why a request is sent again, in the order in which the rules are asked.
  enum Rule: CaseIterable {
    case stepUp, newSignature, newToken, restart, pause

    /// How often it applies to a call, at most; the pause has limits of its own. A service may demand its scopes one after another.
    var turns: Int { self == .stepUp ? 2 : 1 }
  }

  /// A call between two sendings: what the next one sends, and what came of the last one.
  struct State {
    /// How often it has been sent, without redirects.
    var attempts = 0
    var deadline: Clock.Deadline
    var ready: Ready
    var refreshed: Bool
    var used: [Rule] = []
    var result: Result<HTTPResponse, any Error> = .failure(CancellationError())
    /// Whether the last hop received the token.
    var tokenWasSent = false
    var envelope: APIEnvelope?
    var challenge: APIResponse.Challenge?
    var rejection: RequestCredential.Rejection?
  }

  /// Returns whether the rule wants another sending, which is then prepared.
  private func applies(_ rule: Rule, _ state: inout State) async throws -> Bool {
    switch rule {
    case .stepUp:
      guard let challenge = state.challenge, let stepUp, tokens.terms == nil, try await stepUp(challenge) else { return false }
      // The user may have taken longer than the call's time.
      state.deadline = accounts.clock.deadline(in: request.timeout)
      let rejected = state.ready.grant
      state.ready = try await prepared(by: state.deadline)
      return !state.ready.grant.isSame(as: rejected)
    case .newSignature: return state.rejection == .signature
    case .newToken:
      guard case .token = state.rejection, case .success(let response) = state.result else { return false }
      // What the service of another token says about its authorization server is not about the login.
      if response.status == 401, tokens.terms == nil {
        try await naming { try await accounts.heed(.init(response), from: state.ready.url, of: state.ready.grant) }
      }
      guard tokens.terms != nil || state.ready.grant.canRefresh(at: accounts.now) else { return false }
      state.ready = try await prepared(insteadOf: state.ready.grant, by: state.deadline)
      state.refreshed = true
    case .restart:
      // The service rejected the range, and the part on disk was removed. The download starts from the first byte.
      guard request.resumes, case .success(let response) = state.result else { return false }
      return response.status == 416
    case .pause:
      guard let pause = pause(state) else { return false }
      try await accounts.clock.sleep(milliseconds: pause)
    }
    return true
  }

  /// Returns the milliseconds to wait before the next attempt; nil if there is none.
  private func pause(_ state: State) -> Int? {
    let (limits, attempts) = (state.ready.resolved.provider.api.rateLimit, state.attempts)
    var pause = 250 << (attempts - 1)
    switch state.result {
    case .success(let response) where [502, 503, 504].contains(response.status) || limits.isReached(response):
      if let seconds = limits.wait(after: response, at: accounts.now) { pause = seconds * 1000 }
    case .failure(HTTPFailure.network(_, "broken", answered: false, _, _, _)): break
    default: return nil
    }
    let isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.method.uppercased())
    guard request.retries ?? isIdempotent, request.passing == nil, attempts < Self.attemptLimit else { return nil }
    // A wait beyond the call's time is useless. The present response says more.
    return (pause + 999) / 1000 < state.deadline.left ? pause : nil
  }
}
