import OAuthCore
import Platform

extension FileStore {
  /// Bytes. Reading a grant needs as much stack as on libdispatch's threads.
  private static let stackSize = 512 << 10
  /// Seconds between two tries to watch a folder that could not be watched.
  private static let shortestPause: UInt32 = 1
  private static let longestPause: UInt32 = 30

  package func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) throws(OAuthFailure) {
    let first = Result { () throws(PosixFile.Fault) in try FolderWatch(folder) }
    Thread.start(stackSize: Self.stackSize) { [folder, log] in
      var (watch, pause) = (try? first.get(), Self.shortestPause)
      while true {
        if let found = watch {
          pause = Self.shortestPause
          let fault = Self.report(found, onChange)
          log(.storeNotWatched(StorageFailure.from(fault).message))
        }
        sleep(pause)
        pause = min(pause * 2, Self.longestPause)
        watch = try? FolderWatch(folder)
        // What has changed meanwhile is unknown.
        if watch != nil { onChange(nil) }
      }
    }
    _ = try StorageFailure.of { () throws(PosixFile.Fault) in try first.get() }
  }

  /// Reports changes until watching fails, and returns why.
  private static func report(_ watch: FolderWatch, _ onChange: (_ account: String?) -> Void) -> PosixFile.Fault {
    do throws(PosixFile.Fault) {
      while true {
        for account in accounts(try watch.next()) { onChange(account) }
      }
    } catch {
      return error
    }
  }

  /// Returns the accounts whose grants have changed. The keys, the locks and temporary files are not the grant of an account.
  private static func accounts(_ changes: FolderWatch.Changes) -> Set<String?> {
    if changes.mayHaveMore { return [nil] }
    return Set(changes.names.filter(FileName.isGrant).map { FileName.isDigest($0) ? nil : FileName.account(of: $0) })
  }
}
