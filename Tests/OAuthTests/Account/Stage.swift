import Jansson
import Synchronization
import TestSupport

@testable import HTTP
@testable import Loopback
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// A server that answers with a closure, whenever the test lets it.
struct Server: HTTPClient {
  let answer: @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse

  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse { try await answer(request) }
}

/// Tells the test which pages are opened.
private struct Screen: Browser {
  let isThere: Bool
  let start: Promise<Void>
  let onPage: @Sendable (String) -> Void

  func isAvailable(by command: [String]?) -> Bool { isThere }

  func open(_ url: String, by command: [String]?) -> Promise<Void>? {
    onPage(url)
    return isThere ? start : nil
  }
}

/// Tells the test what is reported.
private struct Listener: EventSink {
  let reportsChanges: Bool
  let log: EventLog
  let onEvent: @Sendable (AccountEvent) -> Void

  func emit(_ event: AccountEvent) {
    log.add(event)
    onEvent(event)
  }

  func report(_ failure: OAuthFailure) {}
}

/// Accounts with a clock that the test moves, predictable randomness and a record of their events.
final class Stage: Sendable {
  let store: any AccountStore
  let accounts: Accounts
  let clock: ManualClock
  private let events: EventLog
  private let said: LogRecorder

  init(
    _ http: any HTTPClient, store: any AccountStore = MemoryStore(), catalog: ProviderCatalog = .builtIn, hasBrowser: Bool = true,
    browser: Promise<Void> = Promise(),
    onEvent: @escaping @Sendable (AccountEvent) -> Void = { _ in }, onLog: @escaping @Sendable (LogMessage) -> Void = { _ in },
    onPage: @escaping @Sendable (String) -> Void = { _ in },
    reportsChanges: Bool = false, clock: ManualClock = ManualClock(), configured: @escaping ConfiguredAccount.Reader = { _ in nil },
    secret: @escaping ConfiguredAccount.SecretReader = { _, _, _ in Secret("") }
  ) {
    let log = EventLog()
    let random = Mutex<UInt64>(0)
    events = log
    said = LogRecorder(onMessage: onLog)
    self.clock = clock
    self.store = store
    let dependencies = Dependencies(
      clock: clock.clock,
      random: { count in
        random.withLock { state in
          (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
          }
        }
      },
      http: http, store: store, catalog: catalog,
      browser: Screen(isThere: hasBrowser, start: browser, onPage: onPage), log: said,
      events: Listener(reportsChanges: reportsChanges, log: log, onEvent: onEvent))
    accounts = Accounts(dependencies, configured: configured, secret: secret)
  }

  /// The events in words.
  var told: [String] { events.all.map(Self.word) }
  var facts: [AccountEvent] { events.all }
  /// The facts that were only logged.
  var logged: [LogMessage] { said.all }

  static func word(_ event: AccountEvent) -> String {
    switch event.kind {
    case .authorized(let authorization): "authorized \(authorization.via?.rawValue ?? "")"
    case .signInRequested: "requested"
    case .signInAbandoned(_, let reason): "abandoned \(reason)"
    case .refreshed(_, let changed): changed ? "refreshed, new token" : "refreshed"
    case .revoked(let revocation): "revoked \(revocation.remote.rawValue)"
    case .changed(let change, let origin): "\(event.account) \(change.rawValue) \(origin.rawValue)"
    case .failed(let failure): "failed \(failure.kind.rawValue)"
    }
  }

  static let provider: [JSON.Member] = [
    .init("name", "Example"), .init("issuer", "https://id.example"),
    .init("authorizationEndpoint", "https://id.example/authorize?tenant=1"), .init("tokenEndpoint", "https://id.example/token"),
    .init("apiBase", "https://api.example/v1/"), .init("apiHosts", ["api.example", "*.cdn.example", "other.example:8443", "127.0.0.1"]),
    .init("clientAuthentication", "body"),
  ]

  static func request(_ account: String = "a", scopes: [String] = ["read"], with members: [JSON.Member] = []) -> AuthorizationInput {
    var request = AuthorizationInput()
    request.account = account
    request.provider = .description(ProviderCatalog.merge(members, over: provider))
    request.clientId = "client"
    request.credentials.secret = Secret("client-secret")
    request.scopes = scopes
    request.redirectUri = "app.example:/callback"
    request.opensBrowser = false
    request.waits = false
    return request
  }

  static func request(of provider: ProviderReference) -> AuthorizationInput {
    var request = request()
    request.provider = provider
    return request
  }

  /// Returns what the request means.
  func plan(_ request: AuthorizationInput = Stage.request()) async throws -> AuthorizationPlan {
    try await accounts.withRequest(request) { try await $0.plan() }
  }

  /// Returns the provider as the account's request means it, without the network.
  func provider(_ reference: ProviderReference, for account: String = "a") async throws -> Provider {
    var request = Self.request(account)
    request.provider = reference
    let catalog = accounts.dependencies.catalog
    let stored = try accounts.find(account)?.grant
    return try Planner(input: request, configured: nil, stored: stored, catalog: catalog).requested(reference, .init())
  }

  /// Stores a grant as a sign-in would.
  func keep(
    _ account: String = "a", expiresIn: Int? = 3600, refreshToken: String? = "refresh-1", _ change: (inout Grant) -> Void = { _ in }
  ) async throws {
    var grant = Grant(
      account: account, provider: .object(Self.provider), client: Client(id: "client", secret: Secret("client-secret")),
      accessToken: Secret("access-1"), tokenType: "Bearer", issuedAt: clock.now)
    grant.grantedScopes = ["read"]
    grant.refreshToken = refreshToken.map(Secret.init)
    grant.expiresAt = expiresIn.map { clock.now + $0 }
    change(&grant)
    try await store.write(grant)
  }

  /// Begins a sign-in and returns its page.
  func begin(_ request: AuthorizationInput = Stage.request()) async throws -> (prompt: SignInPrompt, state: String) {
    let authorization = try await accounts.authorize(request)
    guard let prompt = authorization.signIn else { throw OAuthFailure(.signInRequired, "no sign-in was begun") }
    return (prompt, Self.parameter("state", of: prompt.url) ?? "")
  }

  static func parameter(_ name: String, of url: String) -> String? {
    guard let query = try? URLParts(url).query else { return nil }
    return FormEncoding.decodeLeniently(query).first { $0.0 == name }?.1
  }
}

extension Accounts {
  func handleRedirect(_ url: String) async throws -> Bool { try await signIns.take(redirect: url) == nil }
}

/// The accounts' events, in order.
final class EventLog: Sendable {
  private let events = Mutex<[AccountEvent]>([])
  var all: [AccountEvent] { events.withLock { $0 } }
  func add(_ event: AccountEvent) { events.withLock { $0.append(event) } }
}

/// Returns the failure that `work` throws; nil if it succeeds or throws another error.
func failureOf(_ work: () async throws -> some Any) async -> OAuthFailure? {
  do {
    _ = try await work()
    return nil
  } catch {
    return (error as? OAuthFailure.Reported)?.failure ?? (error as? AuthorizationInput.Fault)?.failure ?? error as? OAuthFailure
  }
}

/// Whether `work` throws a failure that an event has reported.
func isReported(_ work: () async throws -> some Any) async -> Bool {
  do {
    _ = try await work()
    return false
  } catch {
    return error is OAuthFailure.Reported
  }
}

extension AuthorizationInput {
  func always() -> AuthorizationInput {
    var request = self
    request.interaction = .always
    return request
  }
}
