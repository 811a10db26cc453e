import HTTP
import OAuthCore
import Platform
import Signatures
import Store
import Synchronization

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
  /// Issuers' public keys, one collection for all accounts.
  package let keys: IDTokenValidation.IssuerKeys
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
  let logSink: (any LogSink)?
  package let emit: @Sendable (AccountEvent) -> Void
  /// What OpenID 2.0 providers have sent to this process.
  package let openid = OpenIDState()
  /// The offsets of the servers' clocks, as learned since the start.
  package let clockOffsets = ClockOffsets()
  /// Token endpoints that asked for a pause.
  let pauses = TokenPauses()
  let secrets = ConfiguredSecrets()

  package init(
    clock: Clock, random: @escaping @Sendable (Int) -> [UInt8], http: any HTTPClient,
    store: any AccountStore, catalog: ProviderCatalog, browserLock: GrantLock.Browser = .unshared, notes: ProcessNotes = ProcessNotes(),
    openPage: @escaping @Sendable (String) -> Promise<Void>?,
    hasBrowser: @escaping @Sendable () -> Bool = { true },
    waitForLook: @escaping @Sendable () async throws -> Void = { try await Clock.system.sleep(seconds: 1) },
    reportsChanges: @escaping @Sendable () -> Bool = { false },
    limits: Limits = Limits(), audit: AuditLog? = nil,
    log: (any LogSink)? = nil,
    emit: @escaping @Sendable (AccountEvent) -> Void
  ) {
    self.clock = clock
    self.random = random
    self.http = http
    self.store = store
    self.catalog = catalog
    self.browserLock = browserLock
    self.notes = notes
    keys = IDTokenValidation.IssuerKeys(http: http, clock: clock)
    self.openPage = openPage
    self.hasBrowser = hasBrowser
    self.waitForLook = waitForLook
    self.reportsChanges = reportsChanges
    self.limits = limits
    self.audit = audit
    logSink = log
    self.emit = emit
  }

  func log(_ message: LogMessage) { logSink?.take(message) }
}

extension Clock {
  /// The time of day, as grants store it.
  var instant: Instant { Instant(milliseconds: milliseconds()) }
}

extension Dependencies {
  /// The offset of servers' clocks from ours, by account, as learned from rejected timestamps (RFC 5849, 3.3).
  ///
  /// Offsets are not stored on disk: they become wrong when the user corrects the clock.
  package final class ClockOffsets: Sendable {
    private let offsets = Mutex<[AccountKey: Int64]>([:])

    package init() {}

    /// Seconds to add to our time. Default: 0.
    package subscript(_ account: String) -> Int64 {
      offsets.withLock { $0[AccountKey(account)] ?? 0 }
    }

    /// Learns from a server's rejection. Returns true if `timestamp` was the reason and a corrected one may succeed.
    ///
    /// `now` is our time in Unix seconds. The new offset is added to the known one, because the known offset may itself be wrong.
    func learn(from problem: OAuth1Problem, _ response: HTTPResponse, account: String, now: Int64) -> Bool {
      offsets.withLock { offsets in
        let known = offsets[AccountKey(account)] ?? 0
        guard let more = ClockOffset(correcting: problem, response, now: now + known), more.seconds != 0 else { return false }
        offsets[AccountKey(account)] = known + more.seconds
        return true
      }
    }
  }
}

extension Dependencies {
  /// The nonces that OpenID 2.0 providers have sent.
  ///
  /// They are not stored on disk: a response that is replayed to another process matches no sign-in there by its state.
  package final class OpenIDState: Sendable {
    /// The time at which each nonce may be forgotten, in Unix seconds.
    private let nonces = Mutex<[String: Int]>([:])

    package init() {}

    /// Returns true if this nonce comes from this endpoint for the first time (OpenID Authentication 2.0, 11.3).
    func isFirst(_ nonce: String, of endpoint: String, at now: Int) -> Bool {
      nonces.withLock { nonces in
        nonces = nonces.filter { $0.value > now }
        let key = endpoint + "\n" + nonce
        // After twice the window the nonce itself is too old, whatever the difference between the clocks.
        return nonces.updateValue(now + 2 * OpenIDNonce.window + 1, forKey: key) == nil
      }
    }
  }
}
