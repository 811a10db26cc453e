import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Removes the temporary files of processes that were killed while writing to the store's folder.
struct LeftoverSweep {
  /// Seconds. A write takes less than one, so an older temporary file is abandoned.
  static let age = 3600

  let folder: String

  /// `held` is the file whose lock the caller holds. Another account's leftovers are removed only if its lock is free.
  /// Failures to remove are ignored, because a leftover does no harm.
  func run(holding held: String, at now: Int) throws(PosixFile.Fault) {
    for name in try PosixFile.names(in: folder) {
      guard let target = TemporaryName.target(of: name) else { continue }
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { continue }
      #if canImport(Glibc)
        let changed = status.st_mtim.tv_sec
      #else
        let changed = status.st_mtimespec.tv_sec
      #endif
      guard now - changed > Self.age else { continue }
      let isOurs = target == held || target == KeyFile.name
      if isOurs || isUnlocked(target) { unlink(path) }
    }
  }

  /// Whether no process is changing the account. A lock file that doesn't exist is not held.
  private func isUnlocked(_ target: String) -> Bool {
    let descriptor = PosixFile.retry { openExistingLock("\(folder)/\(target).lock") }
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}

private func openExistingLock(_ path: String) -> Int32 { open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC) }
