import OAuthCore
import Platform

/// Holds a lock until it is deinitialized.
package final class GrantLock: Sendable {
  /// Whether only the end of the process, or of this object, ends the lock. Another kind ends by itself.
  package let endsWithProcess: Bool
  private let release: @Sendable () -> Void

  package init(endsWithProcess: Bool = false, release: @escaping @Sendable () -> Void) {
    (self.endsWithProcess, self.release) = (endsWithProcess, release)
  }

  deinit { release() }
}

/// Locks that other processes see: `flock(2)` on a file. The kernel releases them if the process dies.
extension GrantLock {
  /// The longest pause between two attempts, in milliseconds.
  private static let longestPause = 100

  enum Attempt {
    case taken(_ descriptor: Int32)
    case held(LockHolder?)
    /// The file was deleted or replaced after it was opened. Other processes lock the new one.
    case replaced
  }

  /// Locks a file and writes this process into it. Waits at most `timeoutMilliseconds` if another process holds the lock.
  /// A failure names the account, if the lock is that of an account.
  static func take(
    _ path: String, in folder: StoreFolder, for account: String?, timeoutMilliseconds: Int, clock: Clock
  ) async throws -> GrantLock {
    // Polls instead of blocking in `flock`. No thread is blocked, and a cancellation takes effect at once.
    var pause = 5
    var waited = 0
    while true {
      var holder: LockHolder?
      let attempt: Attempt?
      do throws(PosixFile.Fault) { attempt = try self.attempt(path, in: folder) } catch {
        throw failure(StorageFailure.from(error), account)
      }
      switch attempt {
      case .taken(let descriptor):
        LockHolder(process: getpid(), since: clock.now).write(to: descriptor)
        return GrantLock(endsWithProcess: true) {
          LockHolder.clear(descriptor)
          Descriptors.unlock(descriptor)
        }
      case .held(let found): holder = found
      case .replaced, nil: break
      }
      guard waited < timeoutMilliseconds else { throw failure(StorageFailure.lockHeld(path, by: holder), account) }
      try await clock.sleep(milliseconds: pause)
      waited += pause
      pause = min(pause * 2, longestPause)
    }
  }

  private static func failure(_ failure: OAuthFailure, _ account: String?) -> OAuthFailure { account.map(failure.of) ?? failure }

  /// Opens the file and locks it without waiting. Without `creates`, returns nil if there is no file.
  static func attempt(_ path: String, in folder: StoreFolder, creates: Bool = true) throws(PosixFile.Fault) -> Attempt? {
    guard let (descriptor, status) = try folder.open(path, for: .inPlace(creates: creates)) else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let (code, holder) = (errno, LockHolder(descriptor))
      close(descriptor)
      guard code == EWOULDBLOCK || code == EINTR else { throw PosixFile.Fault(path: path, code: code) }
      return .held(holder)
    }
    guard isAt(path, status) else {
      close(descriptor)
      return .replaced
    }
    return .taken(descriptor)
  }

  /// Whether the path still names the open file.
  private static func isAt(_ path: String, _ status: stat) -> Bool {
    var there = stat()
    return lstat(path, &there) == 0 && (status.st_dev, status.st_ino) == (there.st_dev, there.st_ino)
  }
}

extension LockHolder {
  /// nil if the lock at this path names no running process.
  init?(of path: String, in folder: StoreFolder) {
    guard let descriptor = try? folder.open(path, for: .inPlace(creates: false))?.descriptor else { return nil }
    defer { close(descriptor) }
    self.init(descriptor)
  }
}
