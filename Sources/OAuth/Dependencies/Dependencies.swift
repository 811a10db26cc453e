import HTTP
import Loopback
import OAuthCore
import Plans
import Platform
import Store

/// The outside world as services: time, randomness, network, store, browser and event listener.
///
/// It is a class because everything that works on an account holds it, and because nothing may exchange a member later.
package final class Dependencies: Sendable {
  package let clock: Clock
  /// Returns this many bytes from the system's cryptographic source.
  package let random: @Sendable (Int) -> [UInt8]
  package let http: any HTTPClient
  package let store: any AccountStore
  package let catalog: ProviderCatalog
  /// Counts the pages that are shown without a command of the user.
  package let pageCount: PageCount
  /// What this user's processes tell each other about the redirects and sign-ins that they wait for.
  package let notes: ProcessNotes
  /// By whom an account's page is open in a browser.
  let pageNotes: ProcessNotes
  /// The folder of what servers have said to accounts; nil stores none.
  let cache: String?
  package let servers: Servers
  /// nil where no user is.
  let browser: (any Browser)?
  /// What the client may do.
  package let limits: Limits
  /// Records the uses of credentials; nil without an audit file.
  let audit: AuditLog?
  /// nil where no command may sign.
  let signer: CommandSigner?
  package let logSink: (any LogSink)?
  private let events: (any EventSink)?
  let secrets = ConfiguredSecrets()

  package init(
    clock: Clock, random: @escaping @Sendable (Int) -> [UInt8], http: any HTTPClient,
    store: any AccountStore, catalog: ProviderCatalog, pageCount: PageCount = PageCount(), notes: ProcessNotes = ProcessNotes(),
    pageNotes: ProcessNotes = ProcessNotes(), cache: String? = nil, browser: (any Browser)? = nil, limits: Limits = Limits(),
    audit: AuditLog? = nil, signer: CommandSigner? = nil, log: (any LogSink)? = nil, events: (any EventSink)? = nil
  ) {
    (self.clock, self.random, self.http, self.store, self.catalog) = (clock, random, http, store, catalog)
    (self.pageCount, self.notes, self.pageNotes, self.browser) = (pageCount, notes, pageNotes, browser)
    (self.limits, self.audit) = (limits, audit)
    (logSink, self.events, self.signer, self.cache) = (log, events, signer, cache)
    servers = Servers(http: http, clock: clock, discoveries: catalog.discoveries)
  }

  package func hasBrowser(by command: [String]?) -> Bool { browser?.isAvailable(by: command) == true }

  package func log(_ message: LogMessage) { logSink?.take(message) }

  func emit(_ event: AccountEvent) { events?.emit(event) }

  func reportsChanges() -> Bool { events?.reportsChanges == true }

  /// Returns those for a trial, which stores nothing.
  package func inMemory(_ http: any HTTPClient, _ random: @escaping @Sendable (Int) -> [UInt8]) -> Dependencies {
    Dependencies(clock: clock, random: random, http: http, store: MemoryStore(), catalog: catalog)
  }
}

extension Clock {
  /// The time of day, as grants store it.
  var instant: Instant { Instant(milliseconds: milliseconds()) }
}

extension Dependencies {
  /// The seconds for the first line about a request without a time limit.
  private static let auditSeconds = 60

  /// Sends a request with a credential of the account, like `HTTPClient.exchange`, and records that.
  /// `secrets` are those of the account that the path may hold.
  func exchange(
    _ request: HTTPRequest, to provider: Provider, for account: String, as use: String, hiding secrets: [Secret?] = []
  ) async throws -> HTTPResponse {
    try await recorded(request, of: account, as: use, hiding: Redaction(secrets.compactMap(\.self), provider: provider)) {
      try await http.exchange($0, to: provider)
    }
  }

  /// Sends a request with a credential of the account, which is one of its `login`. With an audit file, a line is written before it, and another
  /// one after it.
  package func recorded(
    _ request: HTTPRequest, of account: String, login: String? = nil, as use: String, hiding hidden: @autoclosure () -> Redaction,
    _ sending: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      do { return try await sending(request) } catch {
        // Commands that print the certificate and its key may have newer ones, or these two are not of the same age.
        let failure = Self.failure(error)
        let isUnusable = failure["path"] == .string("/" + ClientCertificate.member)
        if isUnusable || failure["cause"] == .string(HTTPFailure.rejectedCertificate) { secrets.forget(account) }
        throw error
      }
    }
    guard let audit else {
      defer { store.wasUsed(login ?? account) }
      return try await send(request)
    }
    let deadline = clock.deadline(in: request.timeout > 0 ? request.timeout : Self.auditSeconds)
    var use = CredentialUse(account, use, request, id: Base64.encodeURL(random(9)), hiding: hidden())
    try await audit.write(use, within: max(1, deadline.left - request.answerTime))
    defer {
      store.wasUsed(login ?? account)
      audit.end(use)
    }
    var sent = request
    // A stream has no end of its own.
    if request.timeout > 0 { sent.timeout = max(1, deadline.left) }
    do {
      let response = try await send(sent)
      use.result = .success(response.status)
      return response
    } catch {
      use.result = .failure(Self.failure(error))
      throw error
    }
  }

  private static func failure(_ error: any Error) -> OAuthFailure {
    switch error {
    case let failure as OAuthFailure: failure
    case let failure as HTTPFailure: OAuthFailure(failure)
    default: OAuthFailure(.cancelled)
    }
  }
}
