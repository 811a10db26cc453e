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
  /// In milliseconds. A server that is restarted or fails over usually answers again by then.
  static let writeTimeoutMilliseconds = 25_000

  struct State {
    var connection: PostgresConnection?
    /// What was last read or written of each account.
    var rows: [AccountKey: Row] = [:]
    /// The summaries that the next listing need not read again.
    var listed: [AccountKey: (version: Int64, summary: AccountSummary.Listed)] = [:]
    /// The identifier of the key that is known to be the table's.
    var keyIdentifier: String?
  }

  /// What is known of an account's row.
  struct Row: Sendable {
    /// 0 if there is no row, or an empty one that only holds a lock.
    var version: Int64 = 0
    var content: Result<StoredGrant?, OAuthFailure> = .success(nil)
  }

  private let uri: String
  let misplacedPassword: MisplacedPassword
  /// The folder of this machine's key and of the locks for browser pages.
  let local: FileStore
  let clock: Clock
  let random: @Sendable (Int) -> [UInt8]
  let log: @Sendable (LogMessage) -> Void
  /// Identifies this process in the database.
  let owner: String
  /// Serial, because such a queue has its own thread, which may block.
  let lane = DispatchQueue(label: "postgresql")
  let state = Mutex(State())
  /// The lock that this process holds for each account.
  let locks = Mutex<[AccountKey: Held]>([:])
  /// The locks that this process holds or tries to take. The database may still name others that could not be released.
  let live = Mutex<Set<String>>([])
  /// Counts the locks that are being released.
  let releasing = DispatchGroup()
  let lockNumber = Atomic<Int>(0)

  /// `local` has the key. Throws for a URI that libpq cannot read.
  package init(
    uri: String, local: FileStore, clock: Clock, random: @escaping @Sendable (Int) -> [UInt8],
    log: @escaping @Sendable (LogMessage) -> Void = { _ in }
  ) throws(OAuthFailure) {
    let isReadable: Bool
    do throws(PostgresConnection.Fault) { isReadable = try PostgresConnection.isReadable(uri) } catch { throw PostgresFailure.from(error) }
    guard isReadable else { throw PostgresFailure.unreadableURI }
    misplacedPassword = MisplacedPassword(uri)
    (self.uri, self.local, self.clock, self.random, self.log) = (uri, local, clock, random, log)
    owner = "\(MachineIdentity.current)/\(getpid())/\(Base64.encodeURL(random(6)))"
  }

  /// Whether `--store` names a database.
  package static func isURI(_ text: String) -> Bool { ["postgresql://", "postgres://"].contains { text.hasPrefix($0) } }

  /// Returns the URI as a message may show it. A password can stand before the host or in the parameters, which may be encoded or misspelled.
  package static func withoutPassword(_ uri: String) -> String {
    guard let end = uri.firstRange(of: "://")?.upperBound else { return uri }
    let rest = uri[end...]
    let user = rest.lastIndex(of: "@").map { rest[..<$0] } ?? ""
    let (place, query) = (rest.prefix { $0 != "?" }, rest.drop { $0 != "?" }.dropFirst())
    // The name of an application is free text.
    let parameters = query.split(separator: "&").filter { !$0.hasPrefix("application_name=") }
    let hasSecret = parameters.contains { parameter in
      guard let text = PercentEncoding.decode(String(parameter))?.lowercased() else { return true }
      return ["password", "secret", "scram_"].contains { text.contains($0) }
    }
    return user.contains(":") || hasSecret || place.lowercased().contains("password=") ? uri[..<end] + "…" : uri
  }

  /// Whether the database's name contains a `;` or `&` that is not encoded, or a `=`. They may be meant to separate parameters.
  package static func hasMisplacedParameters(_ uri: String) -> Bool {
    guard let rest = uri.firstRange(of: "://").map({ uri[$0.upperBound...] }) else { return false }
    // As libpq does, which looks for a user before the first slash.
    let authority = rest.prefix { !"/?".contains($0) }
    let user = authority.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex
    let place = String(rest[user...].prefix { $0 != "?" })
    return place.contains { ";&".contains($0) } || (PercentEncoding.decode(place) ?? place).contains("=")
  }

  /// The key that several machines share stays where it is.
  package func rekey(to source: KeySource) async throws -> Int { throw PostgresFailure.noRekey }

  // MARK: Statements

  /// Runs statements on the connection, and opens one if there is none. Statements are repeated on a new connection if an idle one was broken, so they
  /// must allow that.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws(OAuthFailure) -> Value {
    let result: Result<Value, OAuthFailure> = await withCheckedContinuation { continuation in
      lane.async { continuation.resume(returning: self.performNow(work)) }
    }
    return try result.get()
  }

  /// The same, on the lane.
  func performNow<Value>(_ work: (PostgresConnection) throws -> Value) -> Result<Value, OAuthFailure> {
    let known = state.withLock(\.connection)
    do {
      return .success(try work(try known ?? open()))
    } catch let fault as PostgresConnection.Fault where fault.endsConnection {
      state.withLock { $0.connection = nil }
      guard known != nil else { return .failure(PostgresFailure.from(fault, hiding: misplacedPassword)) }
      return performNow(work)
    } catch {
      return .failure(PostgresFailure.from(error, hiding: misplacedPassword))
    }
  }

  private func open() throws -> PostgresConnection {
    let connection = try PostgresConnection(uri, seconds: Self.connectTimeoutSeconds)
    try PostgresTable.prepare(connection)
    state.withLock { $0.connection = connection }
    return connection
  }

  /// Opens another connection, for notifications.
  func openAnother() throws(PostgresConnection.Fault) -> PostgresConnection {
    try PostgresConnection(uri, seconds: Self.connectTimeoutSeconds)
  }

  /// Waits at most a second, at the end of the process, for locks that are being released.
  package func finish() { _ = releasing.wait(timeout: .now() + .seconds(1)) }

  /// Runs work on the lane that no task waits for.
  func start(_ work: @escaping @Sendable (PostgresConnection) throws -> Void) {
    releasing.enter()
    lane.async { [self] in
      // A lock that cannot be released ends with its lease.
      _ = performNow(work)
      releasing.leave()
    }
  }
}
