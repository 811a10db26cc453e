import OAuthCore
import Platform

extension FileStore {
  /// Bytes. Reading a grant needs as much stack as on libdispatch's threads.
  private static let stackSize = 512 << 10

  package func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) throws(OAuthFailure) {
    let watch = try StorageFailure.of { () throws(PosixFile.Fault) in try FolderWatch(folder) }
    Thread.start(stackSize: Self.stackSize) { [log] in
      do throws(PosixFile.Fault) {
        while true {
          let changes = try watch.next()
          for account in Self.accounts(changes) { onChange(account) }
        }
      } catch {
        log(.storeNotWatched(StorageFailure.from(error).message))
      }
    }
  }

  /// Returns the accounts whose grants have changed. The keys, the locks and temporary files are no account's grant.
  private static func accounts(_ changes: FolderWatch.Changes) -> Set<String?> {
    if changes.mayHaveMore { return [nil] }
    return Set(changes.names.filter(FileName.isGrant).map { FileName.isDigest($0) ? nil : FileName.account(of: $0) })
  }
}
