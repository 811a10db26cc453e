import OAuthCore
import Platform

/// The outside world as functions and services: time, randomness, network, store, browser and event listener.
package struct Dependencies: Sendable {
  /// Unix milliseconds.
  package let milliseconds: @Sendable () -> Int
  /// The same clock in Unix seconds.
  package let clock: @Sendable () -> Int
  /// Returns this many bytes from the system's cryptographic source.
  package var random: @Sendable (Int) -> [UInt8]
  package var http: any HTTPClient
  package var store: any AccountStore
  /// Shares pages with the other processes that use the store.
  package var browserLock = BrowserLock.unshared
  /// Waits at most a second, at the end of the process, for what the store still writes without being asked.
  package var finishStore: @Sendable () -> Void = {}
  package var catalog: ProviderCatalog
  /// Issuers' public keys, one collection for all accounts.
  package let keys: IssuerKeys
  /// Opens a page in a browser, as `BrowserLauncher.open` does.
  /// Returns nil without a browser, else a promise that is settled when none could be started.
  package var openPage: @Sendable (String) -> Promise<Void>?
  /// Whether a browser could be started.
  package var hasBrowser: @Sendable () -> Bool
  /// Waits this many seconds; throws `CancellationError` when the task is cancelled.
  package var sleep: @Sendable (Int) async throws -> Void
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

  var instant: Instant { Instant(milliseconds: milliseconds()) }

  package init(
    milliseconds: @escaping @Sendable () -> Int, random: @escaping @Sendable (Int) -> [UInt8], http: any HTTPClient,
    store: any AccountStore, catalog: ProviderCatalog, openPage: @escaping @Sendable (String) -> Promise<Void>?,
    hasBrowser: @escaping @Sendable () -> Bool = { true },
    sleep: @escaping @Sendable (Int) async throws -> Void = { try await Pause.sleep(seconds: $0) },
    pollUntil: @escaping @Sendable (_ isDue: @escaping @Sendable () -> Bool) async throws -> Void = {
      try await Poller.shared.next(where: $0)
    },
    log: @escaping @Sendable (LogMessage) -> Void = { _ in },
    emit: @escaping @Sendable (AccountEvent) -> Void
  ) {
    let clock: @Sendable () -> Int = { milliseconds() / 1000 }
    self.milliseconds = milliseconds
    self.clock = clock
    self.random = random
    self.http = http
    self.store = store
    self.catalog = catalog
    self.log = log
    keys = IssuerKeys(http: http, clock: clock, log: log)
    self.openPage = openPage
    self.hasBrowser = hasBrowser
    self.sleep = sleep
    self.pollUntil = pollUntil
    self.emit = emit
  }
}
