import OAuthCore
import Platform

/// The table of the grants, and the statements that read and change it.
///
/// A row holds the sealed grant of an account. `version` is a random number that each change replaces. `holder` has the account's lock until
/// `lease_until`. `refresh_holder` has announced a refresh at `refresh_started_at` and has not stored its result.
/// The row `%` holds the identifier of the key that seals the grants.
enum PostgresTable {
  static let name = "oauth_stdio_grants"
  /// Also the channel on which each change is announced, with the account's name.
  static let channel = "oauth_stdio_grants"
  /// The version of the table's layout. The table's comment holds it.
  static let version = 1
  private static let comment = "Grants of oauth-stdio, version "
  /// Any number that other programs are unlikely to lock.
  private static let advisoryLock = 7_310_575_279_461_001

  /// In milliseconds. A statement takes less than one, plus the network's latency.
  static let statementTimeoutMilliseconds = 10_000

  /// The table is of another program or of a newer version.
  enum Mismatch: Error {
    case foreign, newer
  }

  /// Creates a missing table. Throws for a table that this version does not know.
  static func prepare(_ connection: PostgresConnection) throws {
    if try isPresent(connection) { return }
    try run("BEGIN", [], connection)
    do {
      // Two processes that create a table at the same time would get an error of the system's tables.
      try run("SELECT pg_advisory_xact_lock(\(advisoryLock))", [], connection)
      if try !isPresent(connection) {
        try run(
          """
          CREATE TABLE \(name) (account text PRIMARY KEY, sealed bytea, version bigint NOT NULL DEFAULT 0,
            holder text, lease_until timestamptz, refresh_holder text, refresh_started_at timestamptz,
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp())
          """, [], connection)
        try run("COMMENT ON TABLE \(name) IS '\(comment)\(version)'", [], connection)
      }
      try run("COMMIT", [], connection)
    } catch {
      _ = try? run("ROLLBACK", [], connection)
      // A transaction that has waited for the lock may still believe that there is no table.
      guard case .rejected("42P07", _)? = error as? PostgresConnection.Fault, try isPresent(connection) else { throw error }
    }
  }

  private static func isPresent(_ connection: PostgresConnection) throws -> Bool {
    let rows = try run(
      "SELECT to_regclass('\(name)') IS NOT NULL, obj_description(to_regclass('\(name)')::oid, 'pg_class')", [], connection)
    guard rows.first?[0] == "t" else { return false }
    guard let text = rows[0][1], text.hasPrefix(comment), let found = Int(text.dropFirst(comment.count)) else { throw Mismatch.foreign }
    guard found <= version else { throw Mismatch.newer }
    return true
  }

  @discardableResult
  static func run(
    _ statement: String, _ values: [PostgresConnection.Value], _ connection: PostgresConnection
  ) throws(PostgresConnection.Fault) -> [PostgresConnection.Row] {
    try connection.query(statement, values, milliseconds: statementTimeoutMilliseconds)
  }

  // MARK: Names

  /// Returns the account's name as the table has it. PostgreSQL's texts cannot contain NUL.
  static func encoded(_ account: String) -> String {
    guard account.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "%") }) else { return account }
    var bytes: [UInt8] = []
    for byte in account.utf8 { bytes += byte == 0 ? Array("%00".utf8) : byte == UInt8(ascii: "%") ? Array("%25".utf8) : [byte] }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func account(_ encoded: String) -> String { PercentEncoding.decode(encoded) ?? encoded }

  // MARK: Statements

  /// `$1` account, `$2` a version whose grant need not be sent again.
  static let select = """
    SELECT version, CASE WHEN version = $2 THEN NULL ELSE encode(sealed, 'hex') END, sealed IS NOT NULL FROM \(name) WHERE account = $1
    """

  /// `$1` account, `$2` holder, `$3` a holder whose lock may be taken, `$4` lease in seconds. Returns a row if the lock is taken.
  static let lock = """
    INSERT INTO \(name) AS g (account, holder, lease_until) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $4::float8))
    ON CONFLICT (account) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
    WHERE g.holder IS NULL OR g.holder IN (excluded.holder, $3) OR g.lease_until < clock_timestamp()
    RETURNING refresh_holder, ceil(extract(epoch FROM clock_timestamp() - refresh_started_at) * 1000)::bigint
    """

  /// `$1` account.
  static let holder = "SELECT holder FROM \(name) WHERE account = $1"

  /// `$1` account, `$2` holder, `$3` whether an announced refresh has ended.
  static let unlock = """
    UPDATE \(name) SET holder = NULL, lease_until = NULL,
      refresh_holder = CASE WHEN $3::boolean AND refresh_holder = $2 THEN NULL ELSE refresh_holder END,
      refresh_started_at = CASE WHEN $3::boolean AND refresh_holder = $2 THEN NULL ELSE refresh_started_at END
    WHERE account = $1 AND holder = $2 RETURNING sealed IS NULL
    """

  /// `$1` account. Removes the row of an account without a grant.
  static let clean = "DELETE FROM \(name) WHERE account = $1 AND sealed IS NULL AND holder IS NULL AND account <> '%'"

  /// `$1` account, `$2` holder, `$3` lease in seconds. Returns a row if the holder still has the lock.
  static let announceRefresh = """
    UPDATE \(name) SET refresh_holder = $2, refresh_started_at = clock_timestamp(),
      lease_until = clock_timestamp() + make_interval(secs => $3::float8)
    WHERE account = $1 AND holder = $2 RETURNING account
    """

  /// `$1` account, `$2` sealed grant, `$3` its version, `$4` the version that it replaces. Returns a row if it was written.
  /// The same write may be repeated, because an answer can be lost.
  static let write = """
    WITH written AS (
      UPDATE \(name) SET sealed = $2::bytea, version = $3::bigint, refresh_holder = NULL, refresh_started_at = NULL,
        updated_at = clock_timestamp()
      WHERE account = $1 AND version IN ($3::bigint, $4::bigint) RETURNING account)
    SELECT pg_notify('\(channel)', account) FROM written
    """

  /// The same for an account that had no row or an empty one.
  static let writeFirst = """
    WITH written AS (
      INSERT INTO \(name) AS g (account, sealed, version) VALUES ($1, $2::bytea, $3::bigint)
      ON CONFLICT (account) DO UPDATE SET sealed = excluded.sealed, version = excluded.version, refresh_holder = NULL,
        refresh_started_at = NULL, updated_at = clock_timestamp()
      WHERE g.version IN (excluded.version, 0) RETURNING account)
    SELECT pg_notify('\(channel)', account) FROM written
    """

  /// `$1` account, `$2` the version of the empty row.
  static let remove = """
    WITH removed AS (
      UPDATE \(name) SET sealed = NULL, version = $2::bigint, refresh_holder = NULL, refresh_started_at = NULL,
        updated_at = clock_timestamp()
      WHERE account = $1 AND sealed IS NOT NULL RETURNING account)
    SELECT pg_notify('\(channel)', account) FROM removed
    """

  static let versions = "SELECT account, version FROM \(name) WHERE sealed IS NOT NULL AND account <> '%' ORDER BY account"
  static let grants = """
    SELECT account, version, encode(sealed, 'hex') FROM \(name) WHERE sealed IS NOT NULL AND account <> '%' ORDER BY account
    """

  /// `$1` the key's identifier. The first machine's key stays.
  static let claimKey = "INSERT INTO \(name) (account, sealed) VALUES ('%', $1::bytea) ON CONFLICT (account) DO NOTHING"
  static let keyIdentifier = "SELECT encode(sealed, 'hex') FROM \(name) WHERE account = '%'"

  static let isWritable = """
    SELECT current_setting('transaction_read_only') = 'off' AND NOT pg_is_in_recovery(),
      has_table_privilege('\(name)', 'SELECT') AND has_table_privilege('\(name)', 'INSERT') AND has_table_privilege('\(name)', 'UPDATE')
      AND has_table_privilege('\(name)', 'DELETE')
    """
}
