import HTTP
import OAuthCore
import Platform
import Store

/// The outside world as functions and services: time, randomness, network, store, browser and event listener.
///
/// It is a class because everything that works on an account holds it, and because nothing may exchange a member later.
package final class Dependencies: Sendable {
  package let clock: Clock
  /// Returns this many bytes from the system's cryptographic source.
  package let random: @Sendable (Int) -> [UInt8]
  package let http: any HTTPClient
  package let store: any AccountStore
  package let catalog: ProviderCatalog
  /// Lets the processes that share the store open one page together.
  package let browserLock: GrantLock.Browser
  /// What this user's processes tell each other about the redirects that they wait for.
  let notes: ProcessNotes
  package let servers: Servers
  /// Opens a page in a browser, as `BrowserLauncher.open` does.
  /// Returns nil without a browser, else a promise that is settled when none could be started.
  package let openPage: @Sendable (String) -> Promise<Void>?
  /// Whether a browser could be started.
  package let hasBrowser: @Sendable () -> Bool
  /// Waits, during a sign-in, until state that no event reports is polled again: another process's page, or a store that cannot be watched.
  /// Throws `CancellationError` when the task is cancelled.
  package let waitForLook: @Sendable () async throws -> Void
  /// Whether the client wants to know of the accounts' changes by other processes.
  package let reportsChanges: @Sendable () -> Bool
  /// What the client may do.
  package let limits: Limits
  /// Records the uses of credentials; nil without an audit file.
  let audit: AuditLog?
  /// Takes lines for the log.
  package let log: @Sendable (LogMessage) -> Void
  package let emit: @Sendable (AccountEvent) -> Void
  let secrets = ConfiguredSecrets()

  package init(
    clock: Clock, random: @escaping @Sendable (Int) -> [UInt8], http: any HTTPClient,
    store: any AccountStore, catalog: ProviderCatalog, browserLock: GrantLock.Browser = .unshared, notes: ProcessNotes = ProcessNotes(),
    openPage: @escaping @Sendable (String) -> Promise<Void>?,
    hasBrowser: @escaping @Sendable () -> Bool = { true },
    waitForLook: @escaping @Sendable () async throws -> Void = { try await Clock.system.sleep(seconds: 1) },
    reportsChanges: @escaping @Sendable () -> Bool = { false },
    limits: Limits = Limits(), audit: AuditLog? = nil,
    log: @escaping @Sendable (LogMessage) -> Void = { _ in },
    emit: @escaping @Sendable (AccountEvent) -> Void
  ) {
    self.clock = clock
    self.random = random
    self.http = http
    self.store = store
    self.catalog = catalog
    self.browserLock = browserLock
    self.notes = notes
    servers = Servers(http: http, clock: clock, discoveries: catalog.discoveries)
    self.openPage = openPage
    self.hasBrowser = hasBrowser
    self.waitForLook = waitForLook
    self.reportsChanges = reportsChanges
    self.limits = limits
    self.audit = audit
    self.log = log
    self.emit = emit
  }
}

extension Clock {
  /// The time of day, as grants store it.
  var instant: Instant { Instant(milliseconds: milliseconds()) }
}
