import OAuthCore
import Platform

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
