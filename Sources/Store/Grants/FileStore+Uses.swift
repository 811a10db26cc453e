import OAuthCore
import Platform

/// The time of an account's last use is the modification time of an empty file beside its grant.
///
/// Writing the grant again would cost two fsyncs, change its stamp, and race with other writers. The file needs no fsync: it is a hint for users.
/// The grant's own access time would be changed by a backup or a search.
extension FileStore {
  /// Seconds between two notes of one account's uses.
  private static let pause = 60

  package func wasUsed(_ account: String) {
    let now = clock.now
    let isDue = state.withLock { state in
      if let last = state.used[.init(account)], (last..<last + Self.pause).contains(now) { return false }
      state.used[.init(account)] = now
      return true
    }
    if isDue { note(account, at: now) }
  }

  /// Returns the later one of the noted time and this process's last use, whose note may still be being written.
  package func lastUse(of account: String) -> Int? {
    let (noted, own) = (FileStamp.ifAny(usePath(account))?.seconds, state.withLock { $0.used[.init(account)] })
    guard let noted, let own else { return noted ?? own }
    return max(noted, own)
  }

  /// Forgets the uses of an account whose grant is removed.
  func forgetUses(_ account: String) {
    state.withLock { _ = $0.used.removeValue(forKey: .init(account)) }
    unlink(usePath(account))
  }

  private func usePath(_ account: String) -> String { path(of: account) + FileName.useSuffix }

  /// A failure is ignored, because the use itself has succeeded.
  private func note(_ account: String, at now: Int) {
    guard let descriptor = try? files.open(usePath(account), for: .inPlace(creates: true))?.descriptor else { return }
    defer { close(descriptor) }
    let time = timespec(tv_sec: now, tv_nsec: 0)
    futimens(descriptor, [time, time])
  }
}
