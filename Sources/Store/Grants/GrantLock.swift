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

extension GrantLock {
  /// Lets several processes of one user, such as the windows of an editor, open one page for an account together.
  ///
  /// Each account has a file `.page`. The process that opens a page holds the file's lock until its sign-in ends.
  /// The kernel releases the lock if the process dies, so no process waits for a page that is gone.
  /// A process without the lock holds its page back. Once a second it tries the lock again, and the store for a grant.
  /// A grant that it finds ends its sign-in. The lock without a grant lets it open its page.
  /// The file's modification time says when a page was last opened. A user who asks again later may have closed that tab.
  /// Such a request opens its page without the lock.
  package struct Browser: Sendable {
    /// Which process opens the page.
    package enum Turn: Sendable {
      /// This process opens it, and holds the lock until the value is released. The lock is nil if it is shared or cannot be determined.
      case ours(GrantLock?)
      /// Another process has opened it.
      case anothers
    }

    /// For a process that shares no store with another.
    package static let unshared = Browser(folder: nil, clock: .system)

    /// Milliseconds between another process's lock on the file and its time stamp.
    private static let settling = 20

    private let folder: StoreFolder?
    private let clock: Clock
    private let memory = PageCount.Memory()

    /// `folder` is the store's.
    package init(folder: StoreFolder?, clock: Clock) { (self.folder, self.clock) = (folder, clock) }

    /// Counts a page that the process shows without a command of the user, in all processes and at later starts. Returns false if the reason has had
    /// its pages.
    package func count(_ account: String, for reason: PageCount.Reason) async -> Bool {
      await PageCount(folder: folder, clock: clock, memory: memory).add(account, reason)
    }

    /// Requests the turn to open the account's page. A page that another process has opened counts for `apart` seconds; with nil, while it is open.
    package func take(_ account: String, apart: Int?) async -> Turn {
      // Opening two pages does no harm. Opening none does.
      guard let folder else { return .ours(nil) }
      let path = "\(folder.path)/\(FileName.of(account)).page"
      let now = clock.now
      switch try? GrantLock.attempt(path, in: folder) {
      case .taken(let descriptor):
        folder.stamp(path, now)
        return .ours(GrantLock { Descriptors.unlock(descriptor) })
      case .replaced: return await take(account, apart: apart)
      case .held: break
      case nil: return .ours(nil)
      }
      guard let apart else { return .anothers }
      if isStamped(path, within: apart, before: now) { return .anothers }
      try? await clock.sleep(milliseconds: Self.settling)
      if isStamped(path, within: apart, before: now) { return .anothers }
      folder.stamp(path, now)
      return .ours(nil)
    }

    /// Whether a page was opened within the last `seconds`. Ignores timestamps in the future.
    private func isStamped(_ path: String, within seconds: Int, before now: Int) -> Bool {
      guard seconds > 0, let stamp = FileStamp.ifAny(path) else { return false }
      // The other process may have read its clock slightly later.
      return (now - seconds + 1...now + 1).contains(stamp.seconds)
    }
  }
}
