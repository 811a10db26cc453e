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
    if let last = lastUse(of: account), (last..<last + Self.pause).contains(now) { return }
    // A failure is ignored, because the use itself has succeeded.
    guard let descriptor = try? files.open(usePath(account), for: .inPlace(creates: true))?.descriptor else { return }
    defer { close(descriptor) }
    let time = timespec(tv_sec: now, tv_nsec: 0)
    futimens(descriptor, [time, time])
  }

  package func lastUse(of account: String) -> Int? { FileStamp.ifAny(usePath(account))?.seconds }

  /// Forgets the uses of an account whose grant is removed.
  func forgetUses(_ account: String) { unlink(usePath(account)) }

  private func usePath(_ account: String) -> String { path(of: account) + FileName.useSuffix }
}
