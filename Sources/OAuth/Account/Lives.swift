import OAuthCore
import Plans
import Platform
import Synchronization

/// The lives of all accounts, in one table: a name finds one life, and no task holds one.
///
/// Each transition is a function of `Life` and cannot wait. A thread that reads an account at once waits for no task.
final class Lives: Sendable {
  private struct State {
    var table: [AccountKey: Life] = [:]
    /// Whether the process is about to end. No refresh may then be sent, because its response would be lost.
    var isClosed = false
    var hasUsedStore = false
    var entry: ConfiguredAccount?
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

  /// The entry that the words of a command make.
  var entry: ConfiguredAccount? {
    get { state.withLock { $0.entry } }
    set { state.withLock { $0.entry = newValue } }
  }

  var all: [Life] { state.withLock { Array($0.table.values) } }
  var hasNoWork: Bool { all.allSatisfy(\.hasNoWork) }
}
