import Calls
import HTTP
import Jansson
import OAuth
import OAuthCore
import Plans
import Platform
import Store
import Synchronization

/// The login of the account: adds its token to requests, and decides what a 401 or a 403 means.
final class Login: Sendable {
  /// The server wants another login than the account has.
  struct Needed: Error {
    /// What the token lacks; nil if there is no usable token.
    var challenge: APIResponse.Challenge?

    var pageReason: PageCount.Reason { challenge == nil ? .signIn : .stepUp }
  }

  struct State {
    /// The open sign-in.
    var attempt: Attempt?
    /// Whether this process has begun a sign-in or followed that of another.
    var hasBegun = false
    /// The page that was shown last.
    var lastPage: Page?
    /// The pages that the host opens, by their ids.
    var opened: Set<String> = []
    /// Why the last sign-in brought no login.
    var failure: OAuthFailure?
    /// The tokens that were sent last. A server may repeat an earlier one.
    var tokens: [Quotable] = []
    /// The token that the server has refused, and that no refresh could replace.
    var refused: Secret?
    /// When the last sign-in ended, in milliseconds of `uptime`; nil once the server has taken a token of it.
    var unproven: Int?
    /// What finished sign-ins were to bring. If the server wants it again, another page helps nothing.
    var met: [APIResponse.Challenge] = []
  }

  /// A secret that the server may repeat, and how it stands in a message.
  typealias Quotable = (secret: Secret, forms: [[UInt8]])

  /// Milliseconds in which no second sign-in is tried if the server refuses the tokens of the first.
  private static let pause = 300_000
  /// Scopes of a login. A server that wants another one at each request gets no endless page.
  private static let scopeLimit = 50

  let account: String
  let url: URLParts
  let limits: Limits
  let accounts: Accounts
  let state = Mutex(State())
  private let session: Session
  /// Whether the user's own headers authorize the requests.
  private let isOff: Bool
  private let ownSecrets: [Quotable]
  /// Characters. A shorter value of a header is no credential, and hiding it would spoil messages.
  private static let shortest = 8
  /// How many tokens are hidden.
  private static let longestMemory = 8

  init(_ setup: Bridge.Setup, _ session: Session) {
    (account, url, limits, accounts, self.session) = (setup.account, setup.url, setup.limits, setup.accounts, session)
    isOff = setup.headers.contains { $0.isNamed("authorization") }
    ownSecrets = setup.headers.filter { SecretName.isHeader($0.name) }.flatMap { header in
      [header.value, header.value.split(separator: " ").last.map(String.init) ?? ""]
    }.filter { $0.count >= Self.shortest }.map { Self.quotable(Secret($0)) }
  }

  /// JSON has a second form of the slash. The forms are made once, because a server may send thousands of messages.
  private static func quotable(_ secret: Secret) -> Quotable {
    (secret, Set([secret.value, secret.value.replacing("/", with: #"\/"#)]).map { Array($0.utf8) })
  }

  var isSigningIn: Bool { state.withLock { $0.attempt != nil } }
  /// Whether a request that the user may know nothing of begins a sign-in, or joins the open one.
  var mayBegin: Bool { state.withLock { $0.attempt != nil || !$0.hasBegun } }
  var lastPage: Page? { state.withLock { $0.lastPage } }
  /// Why the last sign-in brought no login.
  var lastFailure: OAuthFailure? { state.withLock { $0.failure } }

  /// What the server may repeat: the tokens, and the credentials in the user's own headers.
  private var secrets: [Quotable] { state.withLock { $0.tokens } + ownSecrets }

  /// Hides them in what the server says.
  var hidden: Redaction { Redaction(secrets.map(\.secret)) }

  /// Returns a message of the server without them. Neither the host nor the stored answers show them.
  func hidingToken(in message: Message) -> Message {
    guard secrets.contains(where: { $0.forms.contains(where: message.contains) }) else { return message }
    let shown = hidden.hide(in: message.bytes)
    return shown == message.bytes ? message : Message(shown) ?? message
  }

  /// Sends a request with the account's token, if it has one. A server that needs no login answers without. It may refuse the token for one tool
  /// only, so an open page keeps no request back.
  ///
  /// 401 and 403 come before the server handles the request, so that it may be sent again.
  func send(_ request: HTTPRequest, _ begin: @Sendable () throws -> Void) async throws -> HTTPResponse {
    var grant = isOff ? nil : try await grant()
    try begin()
    var response = try await send(request, grant)
    if isOff { return response }
    if response.status == 401, state.withLock({ $0.attempt != nil && grant?.accessToken == $0.refused }) { throw Needed() }
    if response.status == 401, !isDerived { try await heed(response, grant) }
    if response.status == 401, let rejected = grant, let newer = try await self.grant(after: rejected) {
      grant = newer
      try begin()
      response = try await send(request, grant)
      if response.status == 401, !isDerived { try await heed(response, grant, isNew: true) }
    }
    if response.status == 401 {
      guard let grant else { throw Needed() }
      let unproven = state.withLock { state in
        state.refused = grant.accessToken
        return state.unproven.map { accounts.clock.uptime() - $0 }
      }
      if let unproven, unproven < Self.pause {
        throw Failure("\(url.hostAndPort) refuses the token of the sign-in that ended \(unproven / 1000) s ago")
      }
      if isDerived { throw Failure("\(url.hostAndPort) refuses the token of \(account.plain), and a sign-in brings no other") }
      _ = await accounts[account].wasRejected(grant)
      throw Needed()
    }
    if grant != nil { state.withLock { $0.unproven = nil } }
    guard response.status == 403, grant != nil, let challenge = APIResponse.Challenge(response, hiding: hidden),
      case .scope(let scopes, _) = challenge, !scopes.isEmpty
    else { return response }
    guard !isDerived, let all = try await accounts.scopes(ofStepUpTo: scopes, account),
      Set(all + (grant?.grantedScopes ?? [])).count <= Self.scopeLimit,
      !state.withLock({ $0.met.contains(challenge) })
    else {
      let data = JSON.object(challenge.details)
      throw Failure("\(url.hostAndPort) wants the scopes \(scopes.joined(separator: " ")), which the login does not bring", data: data)
    }
    throw Needed(challenge: challenge)
  }

  /// Uses the challenge for the sign-in that follows. The server may have moved to another authorization server.
  /// `isNew` says that a refresh has just brought the token.
  private func heed(_ response: HTTPResponse, _ grant: Grant?, isNew: Bool = false) async throws {
    do {
      if isNew { return try await accounts.heed(.init(response), from: url, of: grant, patience: 0) }
      try await accounts.heed(.init(response), from: url, of: grant)
    } catch let failure as OAuthFailure where failure.kind == .signInRequired {
      throw Needed()
    }
  }

  private func send(_ request: HTTPRequest, _ grant: Grant?) async throws -> HTTPResponse {
    var request = request
    // As if the server had forgotten the session.
    guard session.join(&request, by: grant?.login) else { return HTTPResponse(status: 404) }
    state.withLock { state in
      guard let token = grant?.accessToken, !state.tokens.contains(where: { $0.secret == token }) else { return }
      state.tokens = state.tokens.suffix(Self.longestMemory - 1) + [Self.quotable(token)]
    }
    let response = try await accounts.send(request, of: account, with: grant)
    // Another token or a sign-in would not help.
    if response.status == 401, grant?.dpopKey != nil, response.rejectsProof {
      throw Failure("\(url.hostAndPort) rejects the proof of the token's key (DPoP): the login stays, so try again")
    }
    return response
  }

  /// Returns the account's grant, refreshed if necessary; nil if the user must sign in.
  /// With `rejected`, returns a newer grant than that: of another process, else by one refresh.
  func grant(after rejected: Grant? = nil) async throws -> Grant? {
    do {
      let tokens = try accounts.tokens(of: account)
      if let rejected { return try await tokens.replaceRejected(rejected, requestID: nil).grant }
      let grant = try await tokens.grant(requestID: nil).grant
      return accounts.isOfGivenClient(grant) ? grant : nil
    } catch let failure as OAuthFailure where failure.kind == .signInRequired && !isDerived {
      return nil
    }
  }

  /// Whether the account is an entry for another token of a login, for which no page is ever opened.
  private var isDerived: Bool { accounts.isDerived(account) }

  /// Whether it is known within these milliseconds what the account has. A refresh may take longer, and goes on.
  func isSettled(within milliseconds: Int) async -> Bool {
    if isOff { return true }
    let answer = Promise<Bool>()
    Task {
      _ = try? await grant()
      answer.settle(.success(true))
    }
    let cancel = accounts.clock.schedule(milliseconds) { answer.settle(.success(false)) }
    defer { cancel() }
    return (try? await answer.value()) ?? true
  }
}
