import Jansson
import OAuthCore

/// Writes one grant, like `AccountStore.write`, with what was reserved for it. Can be called once.
package typealias GrantReservation = @Sendable (Grant) async throws(OAuthFailure) -> Void

/// Stores the grants: in files normally, in memory if nothing may remain. It also locks accounts, notices changes and records uses.
package protocol AccountStore: Sendable {
  /// Returns the account's grant, or nil. Fast and without a lock, because a write replaces a grant in one step.
  func find(_ account: String) throws(OAuthFailure) -> StoredGrant?
  /// Returns the same. A folder that hangs stops only this task.
  func load(_ account: String) async throws(OAuthFailure) -> StoredGrant?
  /// Returns what `find` would return, if neither a program nor another machine has to be asked for it; nil otherwise, and for a fault.
  func readAtOnce(_ account: String) -> StoredGrant??
  /// Returns what `find` would return, and leaves a damaged grant where it is.
  func examine(_ account: String) throws(OAuthFailure) -> StoredGrant?
  /// Writes the grant. Returns when it would survive a power cut.
  func write(_ grant: Grant) async throws(OAuthFailure)
  /// Reserves, before a refresh is sent, everything that writing its result needs. A refresh token that the server has rotated must not be lost.
  /// Throws if the result could not be written.
  func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation
  /// Removes the account's grant, if there is one.
  func remove(_ account: String) async throws(OAuthFailure)
  /// Returns every account with a grant, in any order. A grant that cannot be read hides no other.
  func list() async throws(OAuthFailure) -> [ListedAccount]
  /// Returns what identifies the key that seals the grants, or would seal the first; nil if there is none yet.
  func keyIdentifier() async throws(OAuthFailure) -> String?
  /// Loads the store's key if it is not beside the grants, and a database's grant of the account. A use of the store reports a failure.
  func prepare(_ account: String?) async
  /// Where the store's key is, or will be with the first grant; nil if it has none or if that is unknown.
  var keySource: KeySource? { get }
  /// Moves the store's key, and seals every grant with a new one. Returns the number of grants.
  func rekey(to source: KeySource) async throws -> Int
  /// Waits at the end of the process for what the store still writes in the background.
  func finish()
  /// Checks that the store is writable before the user is asked to sign in.
  func makeReady() async throws(OAuthFailure)
  /// Stores what other processes need to know of the account's sign-ins, beside its grant; nil removes it. A database stores none.
  func keep(signIns: [UInt8]?, of account: String) async throws(OAuthFailure)
  func signIns(of account: String) async -> [UInt8]?
  /// Keeps other processes, and other requests of this one, from changing the account. Waits at most as long as a refresh may take, or until cancelled.
  func lock(_ account: String) async throws -> GrantLock
  /// The same, to refresh the account's grant. Another machine may have sent a refresh and not yet stored its result; this waits for that.
  func lockForRefresh(_ account: String) async throws -> GrantLock
  /// How long a change of an account may take, in seconds: waiting for its lock, an exchange, and a write.
  var longestChange: Int { get }
  /// Returns the process that the account's lock names; nil if there is none.
  func lockHolder(of account: String) -> LockHolder?
  /// Records a use of a credential of the account now, without waiting. It may skip a use within a minute of the last recorded one.
  func wasUsed(_ account: String)
  /// Returns the time of the last recorded use by any process, in Unix seconds; nil if there is none.
  func lastUse(of account: String) -> Int?
  /// Calls `onChange` with an account's name after its grant may have changed, and with nil after any grant may have.
  /// `onChange` returns at once, and its calls may come from any thread. Called once.
  ///
  /// When it returns, every later change is noticed, also of other processes. A store that needs longer to begin reports nil when it has begun.
  /// Throws if the changes of other processes cannot be noticed.
  func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) throws(OAuthFailure)
}

extension AccountStore {
  package func load(_ account: String) async throws(OAuthFailure) -> StoredGrant? { try find(account) }
  package func readAtOnce(_ account: String) -> StoredGrant?? { nil }
  package func examine(_ account: String) throws(OAuthFailure) -> StoredGrant? { try find(account) }
  package func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation {
    { grant async throws(OAuthFailure) in try await self.write(grant) }
  }
  package func keyIdentifier() async throws(OAuthFailure) -> String? { nil }
  package func prepare(_ account: String?) async {}
  package var keySource: KeySource? { nil }
  package func rekey(to source: KeySource) async throws -> Int { throw OAuthFailure(.storageFailure, "a store in memory has no key") }
  package func finish() {}
  package func keep(signIns: [UInt8]?, of account: String) async throws(OAuthFailure) {}
  package func signIns(of account: String) async -> [UInt8]? { nil }
  /// A lock that ends with its process needs no wait for another machine.
  package func lockForRefresh(_ account: String) async throws -> GrantLock { try await lock(account) }
  package var longestChange: Int { RefreshTimes.fileLock + RefreshTimes.exchange }
  package func lockHolder(of account: String) -> LockHolder? { nil }
  package func wasUsed(_ account: String) {}
  package func lastUse(of account: String) -> Int? { nil }

  /// Returns the account's grant, or nil.
  package func read(_ account: String) throws(OAuthFailure) -> Grant? { try find(account)?.grant }
}

/// How long a refresh may take. What one process does must end before another one gives up waiting or takes the lock over. All in seconds.
package enum RefreshTimes {
  /// How long a caller waits for the server's answer. The refresh goes on without the caller.
  package static let caller = 30
  /// The requests of one refresh together. Their answer may replace the refresh token, so a slow one is stored, too. None is sent in the last 30.
  package static let exchange = 50
  /// How long other processes wait for an account's lock in a folder: longer than an exchange and the writing of a file.
  package static let fileLock = 60
  /// How long a write to a database is repeated. A server that is restarted or fails over usually answers again by then.
  static let write = 25
  /// The lease of a lock in a database, and the wait for a refresh that another machine has announced: an exchange, its write, and 5 more.
  package static let lease = 80
  /// How long other processes wait for a lock in a database: a lease that its holder does not end, and 30 for another one that waits.
  static let databaseLock = 110
}

/// A grant that is shared instead of copied. A grant has dozens of members, and clients ask often for an account's state.
package final class StoredGrant: Sendable {
  package let grant: Grant
  /// Where the key that seals the grant was when it was read or written; nil without a key.
  package let keySource: KeySource?

  package init(_ grant: Grant, sealedWith keySource: KeySource? = nil) { (self.grant, self.keySource) = (grant, keySource) }
}

extension Grant {
  /// Whether a service has rejected the access token without saying that it has ended.
  package var isInDoubt: Bool { doubtedAt != nil }

  /// Whether the access token can be used now.
  package func isUsable(at now: Int) -> Bool { hasToken && !isRejected && !isExpired(at: Instant(seconds: now)) }

  /// Whether the grant was imported and no token of it has been of use here. `usedAt` is when a credential of the account was last used.
  package func isUntried(usedAt: Int?) -> Bool {
    guard let imported = importedAt else { return false }
    return usedAt ?? 0 < imported || expiresAt.map { $0 <= imported } ?? false
  }

  /// Why an account cannot be used before the user signs in again.
  package enum Problem: String, Sendable, CaseIterable {
    case refreshTokenRejected = "the provider rejected the refresh token"
    case accessTokenRejected = "the provider rejected the access token"
    case refreshTokenExpired = "the refresh token expired"
    case registrationRejected = "the provider rejected the client's registration"
    case accessTokenExpired = "the access token expired and cannot be refreshed"
    case noAccessToken = "the provider issued no access token"
    case secretRejected = "the provider rejected the client's secret or key"

    /// Text for the schemas.
    package static let documentation =
      "The reason why the account with this grant is not usable without the user. If the process cannot read the grant, nothing else is known of it. "
      + "A fault in the account's configuration is reported here, too. Otherwise it is one of \(allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."
  }

  /// Returns nil if the account can be used without the user.
  package func problem(at now: Int) -> Problem? {
    if rejection?.client != nil { return .secretRejected }
    if isUsable(at: now) || canRefresh(at: now) { return nil }
    if !hasToken, !isRejected { return .noAccessToken }
    guard isRejected else { return .accessTokenExpired }
    guard isRenewable else { return .accessTokenRejected }
    if isClientForgotten { return .registrationRejected }
    return isPastRefreshing(at: now) ? .refreshTokenExpired : .refreshTokenRejected
  }
}

/// One account in a listing: its grant, or why the grant cannot be read.
package struct ListedAccount: Sendable {
  package let account: String
  package let stored: StoredGrant?
  /// When a credential of the account was last used, in Unix seconds; nil if that is unknown.
  package let usedAt: Int?
  package let problem: OAuthFailure?

  package init(_ stored: StoredGrant, usedAt: Int?) {
    (account, self.stored, self.usedAt, problem) = (stored.grant.account, stored, usedAt, nil)
  }

  init(account: String, problem: OAuthFailure) {
    (self.account, stored, usedAt, self.problem) = (account, nil, nil, problem.of(account))
  }
}
