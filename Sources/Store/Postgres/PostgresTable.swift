import OAuthCore
import Platform

/// The table of the grants, and the statements that read and change it.
///
/// A row holds the sealed grant of an account. `version` is a random number that each change replaces. `holder` has the account's lock until
/// `lease_until`. `refresh_holder` has announced a refresh at `refresh_started_at` and has not stored its result.
/// The row `%` holds the identifier of the key that seals the grants.
enum PostgresTable {
  static let name = "oauth_stdio_grants"
  /// What stands for the name with its schema in a statement.
  private static let table = "{table}"
  /// Also the channel on which each change is announced, with the account's name.
  static let channel = "oauth_stdio_grants"
  /// The version of the table's layout. The table's comment holds it.
  static let version = 1
  private static let comment = "Grants of oauth-stdio, version "
  /// Any number that other programs are unlikely to lock.
  private static let advisoryLock = 7_310_575_279_461_001

  /// In milliseconds. A statement takes less than one, plus the network's latency.
  static let statementTimeoutMilliseconds = 10_000

  /// The table is of another program or of a newer version, or another user of the database could change what its statements do.
  enum Mismatch: Error {
    case foreign, newer
    case unsafe(String)
  }

  /// A connection, and the table there with its schema.
  struct Session {
    let connection: PostgresConnection
    var table = ""

    @discardableResult func run(_ statement: String, _ values: PostgresConnection.Value...) throws(PostgresConnection.Fault)
      -> [PostgresConnection.Row]
    {
      let quoted = "'" + PostgresTable.escaped(table, ["'"], by: "'") + "'"
      let text = statement.replacing("'\(PostgresTable.table)'", with: quoted).replacing(PostgresTable.table, with: table)
      return try connection.query(text, values, milliseconds: statementTimeoutMilliseconds)
    }
  }

  /// Creates a missing table. Throws for a table that this version does not support.
  static func prepare(_ connection: PostgresConnection) throws -> Session {
    let session = Session(connection: connection, table: try qualifiedName(Session(connection: connection)))
    if try !isPresent(session) { try create(session) }
    return session
  }

  private static func create(_ session: Session) throws {
    try session.run("BEGIN")
    do {
      // Two processes that create a table at the same time would get an error of the system's tables.
      try session.run("SELECT pg_advisory_xact_lock(\(advisoryLock))")
      if try !isPresent(session) {
        try session.run(
          """
          CREATE TABLE \(table) (account text PRIMARY KEY, sealed bytea, version bigint NOT NULL DEFAULT 0,
            holder text, lease_until timestamptz, refresh_holder text, refresh_started_at timestamptz,
            updated_at timestamptz NOT NULL DEFAULT clock_timestamp())
          """)
        try session.run("COMMENT ON TABLE \(table) IS '\(comment)\(version)'")
      }
      try session.run("COMMIT")
    } catch {
      _ = try? session.run("ROLLBACK")
      // A transaction that has waited for the lock may still believe that there is no table.
      guard case .rejected("42P07", _)? = error as? PostgresConnection.Fault, try isPresent(session) else { throw error }
    }
  }

  /// Finds the table's schema by the user's own search path, and then uses only the system's functions and operators. Otherwise, a role that may
  /// create an operator in another schema of the path could change a statement.
  private static func qualifiedName(_ session: Session) throws -> String {
    let schema = try session.run(
      """
      SELECT coalesce((SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
        WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass('\(name)')), pg_catalog.quote_ident(pg_catalog.current_schema()))
      """
    ).first?[0]
    guard let schema else { throw Mismatch.unsafe("has no schema: name one in the search_path of the database's user") }
    try session.run("SET search_path = pg_catalog, pg_temp")
    return "\(schema).\(name)"
  }

  private static func isPresent(_ session: Session) throws -> Bool {
    guard let found = try session.run(state).first else { return false }
    if let reason = found[0] { throw Mismatch.unsafe(reason) }
    guard let text = found[1], text.hasPrefix(comment), let found = Int(text.dropFirst(comment.count)) else { throw Mismatch.foreign }
    guard found <= version else { throw Mismatch.newer }
    return true
  }

  // MARK: Names

  /// Returns the account's name as the table has it. PostgreSQL's texts cannot contain NUL.
  static func encoded(_ account: String) -> String {
    guard account.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "%") }) else { return account }
    return account.unicodeScalars.map { $0 == "\0" ? "%00" : $0 == "%" ? "%25" : String($0) }.joined()
  }

  static func account(_ encoded: String) -> String { PercentEncoding.decode(encoded) ?? encoded }

  /// Returns the text with `escape` before each of the marks. PostgreSQL sees a quotation mark also where a combining mark follows it.
  static func escaped(_ text: String, _ marks: Set<Unicode.Scalar>, by escape: String) -> String {
    text.unicodeScalars.map { marks.contains($0) ? "\(escape)\($0)" : String($0) }.joined()
  }

  // MARK: Statements

  /// Returns a row if there is a table: what is wrong with it, and its comment. A role that is a superuser counts as a member of every role.
  private static let state = """
    SELECT CASE
      WHEN c.relkind <> 'r' OR EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent)) THEN 'is not a plain table'
      WHEN EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid) THEN 'has triggers'
      WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.oid) THEN 'has rules'
      WHEN c.relrowsecurity THEN 'has row security'
      WHEN NOT (o.rolsuper OR o.oid = d.datdba OR o.rolname = current_user OR (pg_has_role(o.oid, 'MEMBER') AND NOT u.rolsuper))
        THEN 'belongs to the role ' || o.rolname || ', which is neither ' || current_user
          || ', a role that it is a member of, the owner of the database nor a superuser'
      END, left(obj_description(c.oid, 'pg_class'), 100)
    FROM pg_class c JOIN pg_roles o ON o.oid = c.relowner JOIN pg_roles u ON u.rolname = current_user
      JOIN pg_database d ON d.datname = current_database()
    WHERE c.oid = to_regclass('\(table)')
    """

  /// `$1` account, `$2` a version whose grant need not be sent again.
  static let select = """
    SELECT version, CASE WHEN version = $2 THEN NULL ELSE encode(sealed, 'hex') END, sealed IS NOT NULL FROM \(table) WHERE account = $1
    """

  /// `$1` account, `$2` holder, `$3` a holder whose lock may be taken, `$4` lease in seconds. Returns a row if the lock is taken.
  static let lock = """
    INSERT INTO \(table) AS g (account, holder, lease_until) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $4::float8))
    ON CONFLICT (account) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
    WHERE g.holder IS NULL OR g.holder IN (excluded.holder, $3) OR g.lease_until < clock_timestamp()
    RETURNING left(refresh_holder, 300), ceil(extract(epoch FROM clock_timestamp() - refresh_started_at) * 1000)::bigint
    """

  /// `$1` account.
  static let holder = "SELECT holder FROM \(table) WHERE account = $1 AND octet_length(holder) <= 300"

  /// `$1` account, `$2` holder, `$3` whether an announced refresh has ended.
  static let unlock = """
    UPDATE \(table) SET holder = NULL, lease_until = NULL,
      refresh_holder = CASE WHEN $3::boolean AND refresh_holder = $2 THEN NULL ELSE refresh_holder END,
      refresh_started_at = CASE WHEN $3::boolean AND refresh_holder = $2 THEN NULL ELSE refresh_started_at END
    WHERE account = $1 AND holder = $2 RETURNING sealed IS NULL
    """

  /// `$1` account. Removes the row of an account without a grant.
  static let clean = "DELETE FROM \(table) WHERE account = $1 AND sealed IS NULL AND holder IS NULL AND account <> '%'"

  /// `$1` account, `$2` holder, `$3` lease in seconds. Returns a row if the holder still has the lock.
  static let announceRefresh = """
    UPDATE \(table) SET refresh_holder = $2, refresh_started_at = clock_timestamp(),
      lease_until = clock_timestamp() + make_interval(secs => $3::float8)
    WHERE account = $1 AND holder = $2 RETURNING account
    """

  /// `$1` account, `$2` sealed grant, `$3` its version, `$4` the version that it replaces. Returns a row if it was written.
  /// The same write may be repeated, because an answer can be lost.
  static let write = """
    WITH written AS (
      UPDATE \(table) SET sealed = $2::bytea, version = $3::bigint, refresh_holder = NULL, refresh_started_at = NULL,
        updated_at = clock_timestamp()
      WHERE account = $1 AND version IN ($3::bigint, $4::bigint) RETURNING account)
    SELECT pg_notify('\(channel)', account) FROM written
    """

  /// The same for an account that had no row or an empty one.
  static let writeFirst = """
    WITH written AS (
      INSERT INTO \(table) AS g (account, sealed, version) VALUES ($1, $2::bytea, $3::bigint)
      ON CONFLICT (account) DO UPDATE SET sealed = excluded.sealed, version = excluded.version, refresh_holder = NULL,
        refresh_started_at = NULL, updated_at = clock_timestamp()
      WHERE g.version IN (excluded.version, 0) RETURNING account)
    SELECT pg_notify('\(channel)', account) FROM written
    """

  /// `$1` account, `$2` the version of the empty row.
  static let remove = """
    WITH removed AS (
      UPDATE \(table) SET sealed = NULL, version = $2::bigint, refresh_holder = NULL, refresh_started_at = NULL,
        updated_at = clock_timestamp()
      WHERE account = $1 AND sealed IS NOT NULL RETURNING account)
    SELECT pg_notify('\(channel)', account) FROM removed
    """

  /// Returns the account of every grant, and its version.
  static let versions = "SELECT account, version FROM \(table) WHERE sealed IS NOT NULL AND account <> '%' ORDER BY account"
  /// `$1` names in the table. Returns the name of each one's grant, its version and its text.
  static let grants = """
    SELECT account, version, encode(sealed, 'hex') FROM \(table) WHERE account = ANY($1::text[]) AND sealed IS NOT NULL
    """

  /// `$1` the key's identifier. The first machine's key stays.
  static let claimKey = "INSERT INTO \(table) (account, sealed) VALUES ('%', $1::bytea) ON CONFLICT (account) DO NOTHING"
  static let keyIdentifier = "SELECT encode(substring(sealed FOR 100), 'hex') FROM \(table) WHERE account = '%'"

  static let isWritable = """
    SELECT current_setting('transaction_read_only') = 'off' AND NOT pg_is_in_recovery(),
      has_table_privilege('\(table)', 'SELECT') AND has_table_privilege('\(table)', 'INSERT') AND has_table_privilege('\(table)', 'UPDATE')
      AND has_table_privilege('\(table)', 'DELETE')
    """
}

extension PostgresConnection.Value {
  static func account(_ name: String) -> PostgresConnection.Value { .text(PostgresTable.encoded(name)) }

  /// Names as the table has them.
  static func names(_ names: [String]) -> PostgresConnection.Value {
    .text("{" + names.map { "\"" + PostgresTable.escaped($0, ["\"", "\\"], by: "\\") + "\"" }.joined(separator: ",") + "}")
  }
}
