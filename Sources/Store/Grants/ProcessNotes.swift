import Crypto
import OAuthCore
import Platform

/// Notes that processes of one user leave each other: those of one machine, or those that share the grants. A note counts as long as the process that
/// wrote it lives.
///
/// Each is a file with a lock, which the kernel releases if the process dies.
package struct ProcessNotes: Sendable {
  package enum Writing {
    case written(GrantLock)
    /// Another process has this note.
    case anothers
    /// There is no folder for notes.
    case impossible
  }

  /// Bytes of a note. The URL of a page may be long.
  private static let limit = 16 << 10
  /// Seconds. A younger file may be one that its process has yet to lock.
  private static let sweptAge = 60
  /// A busy machine may stop a process between locking a note and setting its time. Others look so often, with pauses of so many milliseconds.
  private static let settling = (pause: 20, count: 25)

  private let place: String?
  /// Whether the notes lie beside the grants, one for each account.
  private var isBesideGrants = false
  /// The folder of the grants.
  private let store: String?
  private let clock: Clock

  /// `folder` is in the user's folder for data. Many hosts start programs without `XDG_RUNTIME_DIR`, and all processes must find the same notes.
  /// `store` is that of the grants, if other processes use them.
  package init(folder: String? = nil, store: String? = nil, clock: Clock = .system) {
    (place, self.store, self.clock) = (folder, store, clock)
  }

  /// Notes about accounts, beside their grants. Processes that share the grants find them from another machine or home, too.
  package init(besideGrantsIn folder: String?, clock: Clock = .system) {
    (place, store, self.clock, isBesideGrants) = (folder, nil, clock, true)
  }

  /// Writes the note about `subject`, which is the account's own if there is one. The note is removed when the lock is deinitialized.
  package func write(_ text: String, about subject: String, of account: String? = nil) -> Writing {
    guard let (folder, path) = file(subject, account) else { return .impossible }
    if !isBesideGrants { sweep(folder) }
    while true {
      switch try? GrantLock.attempt(path, in: folder) {
      case .taken(let descriptor):
        let bytes = Array(text.utf8)
        let isWritten = ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
        let lock = GrantLock {
          unlink(path)
          Descriptors.unlock(descriptor)
        }
        return isWritten ? .written(lock) : .impossible
      case .held: return .anothers
      case .replaced: continue
      case nil: return .impossible
      }
    }
  }

  /// Returns the note about `subject`; nil if no living process has written one.
  package func read(about subject: String, of account: String? = nil) -> String? {
    guard let (folder, path) = file(subject, account), let text = try? folder.read(path, limit: Self.limit, for: .inPlace(creates: false)),
      Self.isLive(path, folder)
    else { return nil }
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// Renews the note of another process, unless that was written or renewed within the last `seconds`. Returns whether it did.
  package func renew(_ subject: String, after seconds: Int) async -> Bool {
    guard let (folder, path) = file(subject, nil) else { return true }
    // A server of files may have a clock that is slightly ahead.
    func isDue() -> Bool { !(-1..<seconds).contains(clock.now - (FileStamp.ifAny(path)?.seconds ?? 0)) }
    // The file that a killed process has left is old until the next one writes.
    if seconds > 0 {
      for _ in 0..<Self.settling.count {
        guard isDue(), (try? await clock.sleep(milliseconds: Self.settling.pause)) != nil else { return false }
      }
      guard isDue() else { return false }
    }
    folder.stamp(path, clock.now)
    return true
  }

  /// Whether a process holds the note. Removes it otherwise.
  @discardableResult private static func isLive(_ path: String, _ folder: StoreFolder) -> Bool {
    switch try? GrantLock.attempt(path, in: folder, creates: false) {
    case .held: return true
    case .taken(let descriptor):
      unlink(path)
      Descriptors.unlock(descriptor)
      return false
    case .replaced, nil: return false
    }
  }

  private func sweep(_ folder: StoreFolder) {
    for name in (try? PosixFile.names(in: folder.path, endingIn: ".note")) ?? [] {
      var status = stat()
      let path = "\(folder.path)/\(name)"
      guard lstat(path, &status) == 0, clock.now - FileStamp(status).seconds > Self.sweptAge else { continue }
      Self.isLive(path, folder)
    }
  }

  /// Returns the place of a note; nil without a folder for it, or if no other process uses the account.
  private func file(_ subject: String, _ account: String?) -> (folder: StoreFolder, path: String)? {
    if isBesideGrants { return place.map { (StoreFolder($0), "\($0)/\(FileName.of(subject)).page") } }
    guard let folder else { return nil }
    // What a note is about may be secret, so the name is a hash.
    // A home folder may be shared with other machines and containers, whose ports are others.
    var name = "\(MachineIdentity.network)\n\(subject)"
    if let account {
      // A folder may have several paths.
      guard let store = store.flatMap(FileStamp.ifAny) else { return nil }
      name += " \(store.inode) \(account)"
    }
    return (folder, "\(folder.path)/\(Hexadecimal.encode(Array(SHA256.hash(data: Array(name.utf8))))).note")
  }

  /// nil if it cannot be made, or is not the user's alone.
  private var folder: StoreFolder? {
    guard let place, (try? PosixFile.makeFolder(place)) != nil, Self.isUsersAlone(place) else { return nil }
    return StoreFolder(place)
  }

  private static func isUsersAlone(_ folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & (S_IFMT | 0o077) == S_IFDIR && status.st_uid == geteuid()
  }
}
