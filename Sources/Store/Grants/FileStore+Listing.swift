import OAuthCore
import Platform

extension FileStore {
  /// Reads every grant file once, and moves none. A damaged file is set aside when its account is used. Leaves out files that were deleted meanwhile.
  package func list() async throws(OAuthFailure) -> [AccountSummary.Listed] {
    try await disk.run { [self] () throws(OAuthFailure) in
      try grantNames().compactMap(listed).sorted { $0.account < $1.account }
    }
  }

  /// The names of the grant files.
  func grantNames() throws(OAuthFailure) -> [String] {
    try checkFolder()
    return try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder, endingIn: FileName.suffix) }
  }

  private func listed(_ name: String) -> AccountSummary.Listed? {
    do throws(OAuthFailure) {
      guard let summary = try summary(name) else { return nil }
      return AccountSummary.Listed(summary, usedAt: lastUse(of: summary.account))
    } catch {
      return AccountSummary.Listed(account: FileName.account(of: name), problem: error)
    }
  }

  /// Returns nil if the file was deleted meanwhile.
  private func summary(_ name: String) throws(OAuthFailure) -> AccountSummary? {
    let path = "\(folder)/\(name)"
    do throws(Unreadable) {
      guard let stored = try load(path) else { return nil }
      guard FileName.of(stored.grant.account) == name else { throw .damaged }
      return stored.summary
    } catch {
      switch error {
      case .stays(let failure): throw failure
      case .damaged: throw StorageFailure.damaged(path)
      }
    }
  }
}

/// The time of an account's last use is the modification time of an empty file beside its grant.
///
/// Writing the grant again would cost two fsyncs, change its stamp, and race with other writers. The file needs no fsync: it is a hint for users.
/// The grant's own access time would be changed by a backup or a search.
extension FileStore {
  /// Seconds between two notes of one account's uses.
  private static let usePause = 60

  package func wasUsed(_ account: String) {
    let now = clock.now
    let isDue = state.withLock { state in
      if let last = state.used[.init(account)], (last..<last + Self.usePause).contains(now) { return false }
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

extension FileStore {
  /// Bytes. Reading a grant needs as much stack as on libdispatch's threads.
  private static let stackSize = 512 << 10
  /// Seconds between two tries to watch a folder that is missing or could not be watched.
  private static let pause: UInt32 = 1

  package func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) throws(OAuthFailure) {
    // Before the first account there is no folder. One that cannot be created is looked for like one that is deleted later.
    // A home that does not exist is not made: the user of a service often has none.
    var place = folder[...]
    while !place.isEmpty, access(String(place), F_OK) != 0 { place = place[..<(place.lastIndex(of: "/") ?? place.startIndex)] }
    if !place.isEmpty { _ = try? makeFolder() }
    let first = Result { () throws(PosixFile.Fault) in try FolderWatch(folder) }
    Thread.start(stackSize: Self.stackSize) { [folder, log] in
      var watch = try? first.get()
      while true {
        do throws(PosixFile.Fault) {
          try watch?.report { for account in Self.accounts($0) { onChange(account) } }
        } catch {
          onChange(nil)
          if error.code != ENOENT { log?.take(.storeNotWatched(StorageFailure.from(error).message)) }
        }
        watch = nil
        sleep(Self.pause)
        watch = try? FolderWatch(folder)
        // What has changed meanwhile is unknown.
        if watch != nil { onChange(nil) }
      }
    }
    if case .failure(let fault) = first, fault.code != ENOENT { throw StorageFailure.from(fault) }
  }

  /// Returns the accounts whose grants have changed. The keys, the locks and temporary files are not the grant of an account.
  private static func accounts(_ names: Set<String>) -> Set<String?> {
    Set(names.filter(FileName.isGrant).map { FileName.isDigest($0) ? nil : FileName.account(of: $0) })
  }
}
