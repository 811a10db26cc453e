import Dispatch
import OAuthCore
import Platform
import Synchronization

/// Stores the grants in a PostgreSQL database, which several machines can share. The database sees only sealed grants.
///
/// The key is where a folder's key would be: in a file of this machine that the user copies, or where a command gets it.
/// All statements use one connection, one after another on a thread of their own.
package final class PostgresStore: AccountStore {
  /// Seconds that each host of the URI gets to answer, unless the user has set another limit.
  private static let connectTimeoutSeconds = 5

  struct State {
    var session: PostgresTable.Session?
    /// What was last read or written of each account.
    var rows: [AccountKey: Row] = [:]
    /// The rows of the last listing, by their names in the table. Apart, because a request reads its account's row again, and a listing only what has changed.
    var listed: [AccountKey: Row] = [:]
    /// The identifier of the table's key, once this process has compared it with its own.
    var keyIdentifier: String?
    /// The lock that this process holds for each account.
    var locks: [AccountKey: Held] = [:]
    /// The locks that this process holds or tries to take. The database may still name others that could not be released.
    var live: Set<String> = []
  }

  /// A cached row of an account.
  struct Row: Sendable {
    /// 0 if there is no row, or an empty one that only holds a lock.
    var version: Int64 = 0
    var content: Result<StoredGrant?, OAuthFailure> = .success(nil)
  }

  private let uri: String
  /// A file of CA certificates for a server on another machine; nil if there is none.
  private let certificates: String?
  /// The folder of this machine's key and of the locks for browser pages.
  let local: FileStore
  let clock: Clock
  let log: (any LogSink)?
  /// Identifies this process in the database.
  let owner: String
  /// Serial, because such a queue has its own thread, which may block.
  let queue = DispatchQueue(label: "postgresql")
  let state = Mutex(State())
  /// Counts the locks that are being released.
  let releasing = DispatchGroup()

  /// `local` has the key. Throws for a URI that libpq cannot read.
  package init(uri: String, local: FileStore, clock: Clock, certificates: String? = nil, log: (any LogSink)? = nil) throws(OAuthFailure) {
    try Self.hasPassword(uri)
    (self.uri, self.local, self.clock, self.certificates, self.log) = (uri, local, clock, certificates, log)
    owner = "\(MachineIdentity.current)/\(getpid())/\(Base64.encodeURL(SystemRandom.bytes(6)))"
  }

  /// Whether `--store` names a database.
  package static func isURI(_ text: String) -> Bool { ["postgresql://", "postgres://"].contains { text.hasPrefix($0) } }

  /// Whether the URI itself has a password. Throws for one that libpq cannot read.
  @discardableResult package static func hasPassword(_ uri: String) throws(OAuthFailure) -> Bool {
    do throws(PostgresConnection.Fault) {
      let (isReadable, hasPassword) = try PostgresConnection.examine(uri)
      if isReadable { return hasPassword }
    } catch {
      throw PostgresFailure.from(error)
    }
    throw PostgresFailure.unreadableURI
  }

  package var keySource: KeySource? { local.keySource }

  /// The key that several machines share stays where it is.
  package func rekey(to source: KeySource) async throws -> Int { throw PostgresFailure.noRekey }

  // MARK: Statements

  /// Runs statements on the connection, and opens one if there is none. A broken idle connection has them repeated, which they must allow.
  func perform<Value: Sendable>(_ work: @escaping @Sendable (PostgresTable.Session) throws -> Value) async throws(OAuthFailure) -> Value {
    let result: Result<Value, OAuthFailure> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.performNow(work)) }
    }
    return try result.get()
  }

  /// The same, on the queue.
  func performNow<Value>(_ work: (PostgresTable.Session) throws -> Value) -> Result<Value, OAuthFailure> {
    let existing = state.withLock(\.session)
    do {
      return .success(try work(try existing ?? open()))
    } catch let fault as PostgresConnection.Fault where fault.endsConnection {
      state.withLock { $0.session = nil }
      guard existing != nil else { return .failure(PostgresFailure.from(fault)) }
      return performNow(work)
    } catch {
      return .failure(PostgresFailure.from(error))
    }
  }

  private func open() throws -> PostgresTable.Session {
    let session = try PostgresTable.prepare(openAnother())
    state.withLock { $0.session = session }
    return session
  }

  /// Opens another connection, for notifications.
  func openAnother() throws(PostgresConnection.Fault) -> PostgresConnection {
    try PostgresConnection(uri, seconds: Self.connectTimeoutSeconds, certificates: certificates)
  }

  /// Waits at most a second, at the end of the process, for locks that are being released.
  package func finish() { _ = releasing.wait(timeout: .now() + .seconds(1)) }

  /// Runs work on the queue that no task waits for.
  func start(_ work: @escaping @Sendable (PostgresTable.Session) throws -> Void) {
    releasing.enter()
    queue.async { [self] in
      // A lock that cannot be released ends with its lease.
      _ = performNow(work)
      releasing.leave()
    }
  }
}
