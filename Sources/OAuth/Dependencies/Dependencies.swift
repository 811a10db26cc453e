import HTTP
import Loopback
import OAuthCore
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
  /// Lets the processes that share the store open one page together.
  package let browserLock: GrantLock.Browser
  /// What this user's processes tell each other about the redirects that they wait for.
  let notes: ProcessNotes
  package let servers: Servers
  /// nil where no user is.
  let browser: (any Browser)?
  /// What the client may do.
  package let limits: Limits
  /// Records the uses of credentials; nil without an audit file.
  let audit: AuditLog?
  let logSink: (any LogSink)?
  private let events: (any EventSink)?
  let secrets = ConfiguredSecrets()

  package init(
    clock: Clock, random: @escaping @Sendable (Int) -> [UInt8], http: any HTTPClient,
    store: any AccountStore, catalog: ProviderCatalog, browserLock: GrantLock.Browser = .unshared, notes: ProcessNotes = ProcessNotes(),
    browser: (any Browser)? = nil, limits: Limits = Limits(), audit: AuditLog? = nil,
    log: (any LogSink)? = nil, events: (any EventSink)? = nil
  ) {
    self.clock = clock
    self.random = random
    self.http = http
    self.store = store
    self.catalog = catalog
    self.browserLock = browserLock
    self.notes = notes
    servers = Servers(http: http, clock: clock, discoveries: catalog.discoveries)
    self.browser = browser
    self.limits = limits
    self.audit = audit
    logSink = log
    self.events = events
  }

  var hasBrowser: Bool { browser?.isAvailable == true }

  func log(_ message: LogMessage) { logSink?.take(message) }

  func emit(_ event: AccountEvent) { events?.emit(event) }

  func reportsChanges() -> Bool { events?.reportsChanges == true }
}

extension Clock {
  /// The time of day, as grants store it.
  var instant: Instant { Instant(milliseconds: milliseconds()) }
}
