import OAuthCore
import Platform

/// The outside world as functions and services: time, randomness, network, store, browser and event listener.
package struct Dependencies: Sendable {
  package let clock: Clock
  /// Returns this many bytes from the system's cryptographic source.
  package var random: @Sendable (Int) -> [UInt8]
  package var http: any HTTPClient
  package var store: any GrantStore
  package var catalog: ProviderCatalog
  /// Issuers' public keys, one collection for all accounts.
  package let keys: IssuerKeys
  /// Opens a page in a browser, as `BrowserLauncher.open` does.
  /// Returns nil without a browser, else a promise that is settled when none could be started.
  package var openPage: @Sendable (String) -> Promise<Void>?
  /// Whether a browser could be started.
  package var hasBrowser: @Sendable () -> Bool
  /// Waits, while the user has to sign in, until `isDue` returns true and the account's grant has to be read again.
  /// Throws `CancellationError` when the task is cancelled.
  package var pollUntil: @Sendable (_ isDue: @escaping @Sendable () -> Bool) async throws -> Void
  package var emit: @Sendable (AccountEvent) -> Void
  /// Takes lines for the log.
  package let log: @Sendable (LogMessage) -> Void
  /// The process's own files.
  package var protectedFiles = ProtectedFiles()
  /// What OpenID 2.0 providers have sent to this process.
  package let openid = OpenIDState()
  /// The differences to the servers' clocks, as learned since the start.
  package let clockOffsets = ClockOffsets()
  /// Token endpoints that asked for a pause.
  let pauses = TokenPauses()

  package init(
    clock: Clock, random: @escaping @Sendable (Int) -> [UInt8], http: any HTTPClient,
    store: any GrantStore, catalog: ProviderCatalog, openPage: @escaping @Sendable (String) -> Promise<Void>?,
    hasBrowser: @escaping @Sendable () -> Bool = { true },
    pollUntil: @escaping @Sendable (_ isDue: @escaping @Sendable () -> Bool) async throws -> Void = {
      try await Poller.shared.next(where: $0)
    },
    log: @escaping @Sendable (LogMessage) -> Void = { _ in },
    emit: @escaping @Sendable (AccountEvent) -> Void
  ) {
    self.random = random
    self.http = http
    self.store = store
    self.catalog = catalog
    self.log = log
    self.clock = clock
    keys = IssuerKeys(http: http, clock: clock, log: log)
    self.openPage = openPage
    self.hasBrowser = hasBrowser
    self.pollUntil = pollUntil
    self.emit = emit
  }
}

extension Clock {
  /// The time of day, as grants store it.
  var instant: Instant { Instant(milliseconds: milliseconds()) }
}
