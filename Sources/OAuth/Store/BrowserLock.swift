import Platform

/// Lets several processes of one user, such as the windows of an editor, open one page for an account together.
///
/// Each account has a file `.page`. The process that opens a page holds the file's lock until its sign-in ends.
/// The kernel releases the lock if the process dies, so no page is waited for in vain.
/// A process without the lock holds its page back. Once a second it tries the lock again, and the store for a grant.
/// A grant that it finds ends its sign-in. The lock without a grant lets it open its page.
/// The file's modification time says when a page was last opened. A user who asks again later may have closed that tab.
/// Such a request opens its page without the lock.
package struct BrowserLock: Sendable {
  /// Which process opens the page.
  package enum Turn: Sendable {
    /// This process opens it, and holds the lock until the value is released. The lock is nil if it is shared or cannot be determined.
    case ours(GrantLock?)
    /// Another process has opened it.
    case anothers
  }

  /// For a process that shares no store with another.
  package static let unshared = BrowserLock(folder: nil, clock: .system)

  /// Milliseconds between another process's lock on the file and its time stamp.
  private static let settling = 20

  private let folder: String?
  private let clock: Clock

  /// `folder` is the store's.
  package init(folder: String?, clock: Clock) { (self.folder, self.clock) = (folder, clock) }

  /// Requests the turn to open the account's page. A page that another process has opened counts for `apart` seconds; with nil, while it is open.
  package func take(_ account: String, apart: Int?) async -> Turn {
    // Opening two pages does no harm. Opening none does.
    guard let folder else { return .ours(nil) }
    let descriptor = GrantLock.open("\(folder)/\(FileName.of(account)).page")
    guard descriptor >= 0 else { return .ours(nil) }
    let lock = GrantLock { close(descriptor) }
    defer { withExtendedLifetime(lock) {} }
    let now = clock.now
    if GrantLock.flockNow(descriptor) {
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
    // The other process may have read its clock slightly later.
    return (now - seconds + 1...now + 1).contains(FileStamp(status).seconds)
  }
}
