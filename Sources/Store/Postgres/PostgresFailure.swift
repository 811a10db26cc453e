import OAuthCore
import Platform

/// The errors that callers see for failures of the database. None contains the connection's URI, which may hold a password.
enum PostgresFailure {
  static func from(_ error: any Error) -> OAuthFailure {
    switch error {
    case let failure as OAuthFailure: failure
    case PostgresTable.Mismatch.foreign: failure("the table \(PostgresTable.name) is not one of oauth-stdio; it stays unchanged", false)
    case PostgresTable.Mismatch.newer: newer("the table \(PostgresTable.name) was made")
    case PostgresTable.Mismatch.unsafe(let reason):
      failure(
        "the table \(PostgresTable.name) is not used: it \(Redaction.none.clean(reason)); change that, or name another database", false)
    case let fault as PostgresConnection.Fault: from(fault)
    default: failure("the database failed", true)
    }
  }

  static func from(_ fault: PostgresConnection.Fault) -> OAuthFailure {
    switch fault {
    case .unavailable(let reason): failure("the database cannot be used: \(reason)", false)
    case .disconnected(let reason):
      failure("the database cannot be reached: \(reason.isEmpty ? "the connection broke" : Redaction.none.clean(reason))", true)
    case .timedOut(let reason): failure("the database cannot be used: \(reason)", true)
    case .rejected("25006", _):
      failure("the database is read-only: name its primary server, or several hosts with target_session_attrs=read-write", true)
    case .rejected(let state, let reason):
      failure("the database rejected a statement: \(Redaction.none.clean(reason)) (\(state))", isRetryable(state))
    }
  }

  /// Resources that are exhausted, a server that stops, conflicts, and failures of the system. The rest is the user's to change.
  private static func isRetryable(_ state: String) -> Bool { ["53", "57", "40", "55", "58", "08"].contains { state.hasPrefix($0) } }

  private static func failure(_ message: String, _ isRetryable: Bool) -> OAuthFailure {
    OAuthFailure(.storageFailure, message, isRetryable: isRetryable)
  }

  static let unreadableURI = failure(
    "--store is not a PostgreSQL URI that libpq can read: special characters in a password are written as %XX", false)
  static let noPrivileges = failure(
    "the database's user needs the privileges SELECT, INSERT, UPDATE and DELETE on the table \(PostgresTable.name)", false)

  private static func newer(_ what: String) -> OAuthFailure {
    failure("\(what) by a newer version of oauth-stdio; it stays unchanged", false).with(\.isOfNewerVersion, true)
  }

  static func newerGrant(_ account: String) -> OAuthFailure { newer("the database's grant was written").of(account) }

  static func damaged(_ account: String) -> OAuthFailure { failure("the database's grant of the account is damaged", false).of(account) }

  static func otherKey(_ keyPath: String) -> OAuthFailure {
    failure(
      "the database's grants are sealed with a key other than this machine's: copy the key file of a machine that opens them to \(keyPath), "
        + "or name the command that prints their key with --key", false)
  }

  /// Another machine has stored a newer grant, or has removed the account.
  static func superseded(_ account: String) -> OAuthFailure {
    failure("another machine has changed the account meanwhile: try again", true).with(\.isSuperseded, true).of(account)
  }

  static func lockHeld(_ holder: String?) -> OAuthFailure {
    let who = holder.flatMap(PostgresStore.Holder.init).map { "the process \($0.process)\($0.isHere ? "" : " of another machine")" }
    return failure("\(who ?? "another process") has held the account's lock in the database for too long", true)
  }

  static let noRekey = failure(
    "the key of a database is shared by its machines and cannot be moved: copy the grants to a folder, move the key there, and copy them back",
    false)
}
