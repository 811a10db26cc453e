import OAuthCore
import Platform
import Store
import Synchronization

/// A grant that could not be written to disk. The next use of the account writes it again.
struct UnsavedGrant: Sendable {
  var grant: Grant
  /// The stored grant at that time.
  var replaced: Grant?
  /// Whether there was a stored grant that could not be read at that time. The new grant replaces it, unless the account has been signed out since.
  var replacesUnreadable = false
  /// The account's lock, which stays with a rotated refresh token until the disk has that.
  var lock: GrantLock?

  /// Whether the provider may reject the stored grant's refresh token, or what stands for one, because this grant's has replaced it.
  var hasRotated: Bool {
    guard let replaced else { return replacesUnreadable }
    guard grant.login == replaced.login else { return false }
    if (grant.refreshToken, grant.sessionHandle) != (replaced.refreshToken, replaced.sessionHandle) { return true }
    return grant.refreshToken == nil && grant.accessToken != replaced.accessToken
  }

  /// Whether the grant still replaces the stored one: the account has not been signed out or in since.
  /// A refresh of the stored grant does not count.
  func follows(_ stored: Grant?) -> Bool {
    guard let stored else { return replaced == nil && !replacesUnreadable }
    if replacesUnreadable { return true }
    guard grant.generation > stored.generation else { return false }
    guard let login = stored.login else { return true }
    return login == grant.login || login == replaced?.login
  }
}

/// The lives of all accounts, in one table: a name finds one life, and no task keeps one.
///
/// Each transition is a function of `Life` and cannot wait. A thread that reads an account at once waits for no task.
final class Lives: Sendable {
  private struct State {
    var table: [AccountKey: Life] = [:]
    /// Whether the process is about to end. No refresh may then be sent, because its response would be lost.
    var isClosed = false
    var hasUsedStore = false
  }

  private let state = Mutex(State())
  private let clock: Clock

  init(_ clock: Clock) { self.clock = clock }

  subscript(_ key: AccountKey) -> Life { state.withLock { $0.table[key] } ?? Life() }

  /// Changes an account's life. An idle one leaves the table, so that names that a client sends do not fill it.
  @discardableResult func change<Value: Sendable>(_ key: AccountKey, _ body: (inout Life) -> Value) -> Value {
    let now = clock.now
    return state.withLock { state in
      var life = state.table[key] ?? Life()
      let value = body(&life)
      if state.table[key] == nil, !life.isIdle(at: now) { state.table = state.table.filter { !$0.value.isIdle(at: now) } }
      state.table[key] = life.isIdle(at: now) ? nil : life
      return value
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }
  func close() { state.withLock { $0.isClosed = true } }
  /// Whether a request has used the store.
  var hasUsedStore: Bool { state.withLock { $0.hasUsedStore } }
  func useStore() { state.withLock { $0.hasUsedStore = true } }

  var all: [Life] { state.withLock { Array($0.table.values) } }
  var hasNoWork: Bool { all.allSatisfy(\.hasNoWork) }
}
