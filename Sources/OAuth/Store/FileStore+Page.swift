import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// Milliseconds between another process's lock on the file and its time stamp.
  private static let settling = 20

  /// Several processes of one user ask for the same account, such as the windows of an editor. The user needs one page.
  ///
  /// Each account has a file `.page`. A process that opens a page holds the file's lock until its sign-in ends.
  /// The kernel releases the lock if the process dies, so no page is waited for in vain.
  /// The file's modification time says when a page was last opened.
  ///
  /// A process that cannot get the lock holds its own page back. Once a second it tries the lock again, and the store for a grant.
  /// A grant that it finds ends its sign-in. The lock without a grant lets it open its page.
  /// `apart` is for a request of the user: after that many seconds the page opens without the lock, because the tab may be closed.
  package func browserLock(forPageOf account: String, apart: Int?) async -> BrowserLock {
    let path = path(of: account) + ".page"
    let descriptor = PosixFile.retry { openPageFile(path) }
    // Opening two pages does no harm. Opening none does.
    guard descriptor >= 0 else { return .ours(nil) }
    let lock = GrantLock { close(descriptor) }
    defer { withExtendedLifetime(lock) {} }
    let now = clock.now
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      stamp(descriptor, now)
      return .ours(lock)
    }
    guard errno == EWOULDBLOCK else { return .ours(nil) }
    guard let apart else { return .anothers }
    if isStamped(descriptor, within: apart, before: now) { return .anothers }
    try? await clock.sleep(milliseconds: Self.settling)
    if isStamped(descriptor, within: apart, before: now) { return .anothers }
    stamp(descriptor, now)
    return .ours(nil)
  }

  private func stamp(_ descriptor: Int32, _ now: Int) {
    let time = timespec(tv_sec: now, tv_nsec: 0)
    futimens(descriptor, [time, time])
  }

  /// Whether a page was opened within the last `seconds`. Ignores timestamps in the future.
  private func isStamped(_ descriptor: Int32, within seconds: Int, before now: Int) -> Bool {
    var status = stat()
    guard seconds > 0, fstat(descriptor, &status) == 0 else { return false }
    #if canImport(Glibc)
      let opened = status.st_mtim.tv_sec
    #else
      let opened = status.st_mtimespec.tv_sec
    #endif
    // The other process may have read its clock slightly later.
    return (now - seconds + 1...now + 1).contains(opened)
  }
}

/// Follows no symbolic link: a user who can write to the folder could point one at any file.
private func openPageFile(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) }
