import Jansson
import OAuthCore
import Platform

/// The errors that callers see for failures of the store's files.
package enum StorageFailure {
  package static func from(_ fault: PosixFile.Fault) -> OAuthFailure {
    of(fault.path, "the file \(fault.path) cannot be used: \(fault.reason)", isRetryable: true).with(\.isOfOtherUser, fault.isOfOther)
  }

  /// A failure that names its file.
  private static func of(_ path: String, _ message: String, isRetryable: Bool = false) -> OAuthFailure {
    OAuthFailure(.storageFailure, message, details: [.init("path", .string(path))], isRetryable: isRetryable)
  }

  /// The store's folder cannot be made or written.
  static func ofFolder(_ fault: PosixFile.Fault) -> OAuthFailure {
    var failure = from(fault)
    // A full disk or too many open files concern other folders, too.
    if [EACCES, EPERM, EROFS, ENOTDIR].contains(fault.code) { failure.message += "; name another folder with --store or XDG_DATA_HOME" }
    return failure
  }

  static func of<Value>(_ work: () throws(PosixFile.Fault) -> Value) throws(OAuthFailure) -> Value {
    do {
      return try work()
    } catch {
      throw from(error)
    }
  }

  /// A listing found the file damaged and left it in place.
  static func damaged(_ path: String) -> OAuthFailure { of(path, "the grant file \(path) is damaged or is not a grant file") }

  static func newer(_ path: String) -> OAuthFailure {
    of(path, "the grant file \(path) was written by a newer version of oauth-stdio; it stays unchanged").with(\.isOfNewerVersion, true)
  }

  static func unreadable(_ path: String, aside: String?) -> OAuthFailure {
    let what = aside.map { "it was set aside as \($0)" } ?? "it could not be set aside"
    var details: [JSON.Member] = [.init("path", .string(path))]
    if let aside { details.append(.init("setAside", .string(aside))) }
    return OAuthFailure(.storageFailure, "the grant file \(path) is damaged or is not a grant file; \(what)", details: details)
  }

  static func otherKey(_ path: String, _ keyPath: String) -> OAuthFailure {
    of(path, "the grant file \(path) was sealed with a key other than the one in \(keyPath); it stays unchanged")
  }

  static func keyMissing(_ path: String) -> OAuthFailure {
    of(
      path,
      "the key file \(path) is missing, so the stored grants cannot be opened: restore the key file, or move the *.grant files of its folder away "
        + "and sign in again")
  }

  static func keyUnusable(_ path: String) -> OAuthFailure {
    of(path, "the key file \(path) must have exactly 32 bytes or say where the key is")
  }

  static func keyUnusable(in source: KeySource) -> OAuthFailure {
    OAuthFailure(
      .storageFailure, "the \(source.name) must return a key of 32 bytes in base64", details: [.init("key", .string(source.name))])
  }

  static func newerKey(_ path: String) -> OAuthFailure {
    of(path, "the key file \(path) was written by a newer version of oauth-stdio; it stays unchanged")
  }

  static func commandOfAnother(_ path: String) -> OAuthFailure {
    of(path, "the key file \(path) names a command, which the process runs only if its own user alone can write the file (chmod go-w)")
  }

  package static let noCommands = OAuthFailure(.storageFailure, "the store's key is printed by a command, and commands are not run here")

  static func wrongKey(in source: KeySource, _ folder: String) -> OAuthFailure {
    OAuthFailure(
      .storageFailure, "the \(source.name) returned a key other than the one that sealed the grants in \(folder)",
      details: [.init("key", .string(source.name))])
  }

  /// Another process has moved the key. The next request loads it from its new place.
  static func keyMoved(_ path: String) -> OAuthFailure {
    of(path, "another process has just moved the store's key: try again", isRetryable: true)
  }

  /// Reports a failure of the keyring, and what the user can do about it.
  static func ofKeyring<Value>(_ work: () throws(Keyring.Fault) -> Value) throws(OAuthFailure) -> Value {
    do {
      return try work()
    } catch {
      throw ofKeyring(error, missing: "the keyring has no key for this store: restore the keyring, or remove the grants and sign in again")
    }
  }

  /// `missing` is what to say if the keyring does not have the secret.
  package static func ofKeyring(_ fault: Keyring.Fault, missing: String) -> OAuthFailure {
    let (problem, isRetryable) =
      switch fault {
      case .missing: (missing, false)
      case .locked: ("the keyring is locked: unlock it, for example by signing in to the desktop, and try again", true)
      case .unavailable(let reason): ("no keyring can be reached: \(reason); start one, or run in the user's session", true)
      case .failed(let reason): ("the keyring failed: \(reason)", true)
      }
    return OAuthFailure(.storageFailure, problem, details: [.init("key", "keyring")], isRetryable: isRetryable)
  }

  static func lockHeld(_ path: String, by holder: LockHolder?) -> OAuthFailure {
    OAuthFailure(
      .storageFailure, "\(holder?.description ?? "another process") has held the lock \(path) for too long",
      details: [.init("path", .string(path))] + (holder?.details ?? []), isRetryable: true)
  }

  static let sealing = OAuthFailure(.storageFailure, "the grant could not be sealed")
}
