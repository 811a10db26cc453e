#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  package func lock(_ account: String) async throws -> GrantLock {
    let path = path(of: account) + ".lock"
    let descriptor: Int32
    do throws(PosixFile.Fault) {
      try PosixFile.makeFolder(folder)
      descriptor = PosixFile.retry { openLock(path) }
      guard descriptor >= 0 else { throw PosixFile.Fault(path: path, code: errno) }
    } catch {
      throw StorageFailure.from(error).of(account)
    }
    let lock = GrantLock { close(descriptor) }
    // Asked again and again rather than waited for, so that no thread stands still and a cancellation is heard at once.
    var pause = 5
    var waited = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw StorageFailure.from(PosixFile.Fault(path: path, code: errno)).of(account) }
      guard waited < patience else { throw StorageFailure.lockHeld(path).of(account) }
      try await Pause.sleep(milliseconds: pause)
      waited += pause
      pause = min(pause * 2, 100)
    }
    if waited > 0 { remark(.lockAwaited(account: account, milliseconds: waited)) }
    return lock
  }
}

/// Follows no symbolic link, which whoever can write to the folder could lead anywhere.
private func openLock(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) }
