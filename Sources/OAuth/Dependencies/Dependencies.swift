import HTTP
import Loopback
import OAuthCore
import Platform
import Store
import Synchronization

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
    (self.clock, self.random, self.http, self.store, self.catalog) = (clock, random, http, store, catalog)
    (self.browserLock, self.notes, self.browser, self.limits, self.audit) = (browserLock, notes, browser, limits, audit)
    (logSink, self.events) = (log, events)
    servers = Servers(http: http, clock: clock, discoveries: catalog.discoveries)
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

/// The secrets that a command or the keyring has given. Each is asked once a process, and again after a server has rejected the client: the user may
/// have to type a passphrase.
final class ConfiguredSecrets: Sendable {
  private struct Key: Hashable, Sendable {
    let account: AccountKey
    let member: String
    let source: [String]
  }

  private let known = Mutex<[Key: Secret]>([:])
  /// A request that ends leaves its reading to the next one.
  private let reading = SingleFlight<Key, Secret>()

  /// `source` is the command's words or the name in the keyring.
  func secret(
    of account: String, _ member: String, from source: [String], _ read: @escaping @Sendable () async throws -> Secret
  ) async throws -> Secret {
    let key = Key(account: AccountKey(account), member: member, source: source)
    if let secret = known.withLock({ $0[key] }) { return secret }
    return try await reading.value(key) { [self] in
      let secret = try await read()
      known.withLock { $0[key] = secret }
      return secret
    }
  }

  func forget(_ account: String) { known.withLock { known in known = known.filter { $0.key.account != AccountKey(account) } } }
}
