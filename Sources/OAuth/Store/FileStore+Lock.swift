import OAuthCore
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// The longest pause between two attempts, in milliseconds.
  private static let longestPause = 100

  package func lock(_ account: String) async throws -> GrantLock {
    let path = path(of: account) + ".lock"
    try makeFolder(for: account)
    // Polls instead of blocking in `flock`. No thread is blocked, and a cancellation takes effect at once.
    var pause = 5
    var waited = 0
    while true {
      let descriptor = try openLock(path, account)
      let holder: LockHolder?
      switch take(descriptor, path) {
      case .taken:
        if waited > 0 { log(.lockAwaited(account: account, milliseconds: waited)) }
        LockHolder(process: getpid(), since: clock.now).write(to: descriptor)
        return GrantLock {
          LockHolder.clear(descriptor)
          close(descriptor)
        }
      case .replaced:
        // The file was deleted or replaced after it was opened. Other processes lock the new one.
        holder = nil
        close(descriptor)
      case .failed(let code):
        close(descriptor)
        throw StorageFailure.from(PosixFile.Fault(path: path, code: code)).of(account)
      case .held:
        holder = LockHolder(descriptor)
        close(descriptor)
      }
      guard waited < patience else { throw StorageFailure.lockHeld(path, by: holder).of(account) }
      try await clock.sleep(milliseconds: pause)
      waited += pause
      pause = min(pause * 2, Self.longestPause)
    }
  }

  package func lockHolder(of account: String) -> LockHolder? {
    let descriptor = PosixFile.retry { openExistingLock(path(of: account) + ".lock") }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return LockHolder(descriptor)
  }

  private enum Attempt {
    case taken, held, replaced
    case failed(Int32)
  }

  private func take(_ descriptor: Int32, _ path: String) -> Attempt {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      return errno == EWOULDBLOCK || errno == EINTR ? .held : .failed(errno)
    }
    var (mine, there) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0 else { return .failed(errno) }
    guard lstat(path, &there) == 0 else { return errno == ENOENT ? .replaced : .failed(errno) }
    guard (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino) else { return .replaced }
    if mine.st_mode & 0o077 != 0, mine.st_uid == geteuid() { fchmod(descriptor, 0o600) }
    return .taken
  }

  private func makeFolder(for account: String) throws(OAuthFailure) {
    do throws(OAuthFailure) { try makeFolder() } catch { throw error.of(account) }
  }

  private func openLock(_ path: String, _ account: String) throws(OAuthFailure) -> Int32 {
    let descriptor = PosixFile.retry { openLockFile(path) }
    guard descriptor >= 0 else { throw StorageFailure.from(PosixFile.Fault(path: path, code: errno)).of(account) }
    return descriptor
  }
}

/// Follows no symbolic link: a user who can write to the folder could point one at any file.
private func openLockFile(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) }
private func openExistingLock(_ path: String) -> Int32 { open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
