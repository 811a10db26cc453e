#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// Milliseconds in which whoever has just locked the file has set its time as well.
  private static let settling = 20

  /// A file's lock says that a page is open, and goes with the process that holds it; the file's time says when a page was last opened.
  package func turn(toOpenPageOf account: String, apart: Int?) async -> PageTurn {
    let path = path(of: account) + ".page"
    let descriptor = PosixFile.retry { openPageFile(path) }
    // Two pages harm nobody; a page that never opens does.
    guard descriptor >= 0 else { return .ours(nil) }
    let lock = GrantLock { close(descriptor) }
    defer { withExtendedLifetime(lock) {} }
    let now = clock()
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      stamp(descriptor, now)
      return .ours(lock)
    }
    guard errno == EWOULDBLOCK else { return .ours(nil) }
    guard let apart else { return .anothers }
    if isStamped(descriptor, within: apart, before: now) { return .anothers }
    try? await Pause.sleep(milliseconds: Self.settling)
    if isStamped(descriptor, within: apart, before: now) { return .anothers }
    stamp(descriptor, now)
    return .ours(nil)
  }

  private func stamp(_ descriptor: Int32, _ now: Int) {
    let time = timespec(tv_sec: now, tv_nsec: 0)
    futimens(descriptor, [time, time])
  }

  /// A time to come is none that a page was opened at.
  private func isStamped(_ descriptor: Int32, within seconds: Int, before now: Int) -> Bool {
    var status = stat()
    guard seconds > 0, fstat(descriptor, &status) == 0 else { return false }
    #if canImport(Glibc)
      let opened = status.st_mtim.tv_sec
    #else
      let opened = status.st_mtimespec.tv_sec
    #endif
    // The other process may have read its clock a little later.
    return (now - seconds + 1...now + 1).contains(opened)
  }
}

/// Follows no symbolic link: a user who can write to the folder could lead it anywhere.
private func openPageFile(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) }
