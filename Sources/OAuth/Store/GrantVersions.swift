import OAuthCore
import Synchronization

/// Tells whether an account's grant has changed without reading it.
package protocol GrantVersions: Sendable {
  /// Returns a text that differs after every change of the account's grant; nil if there is none. Fast, but may wait for the disk.
  func version(of account: String) throws(OAuthFailure) -> String?
}

extension GrantVersions {
  /// Returns a function that reports whether the account's grant may have changed since its last call. Its first call returns true.
  /// Without a version it returns true, because reading the grant gives the reason.
  package func changes(of account: String) -> @Sendable () -> Bool {
    let last = LastVersion()
    return {
      do throws(OAuthFailure) {
        return last.isNew(try self.version(of: account))
      } catch {
        return true
      }
    }
  }
}

/// Remembers the version of the last look.
private final class LastVersion: Sendable {
  private let version = Mutex<String??>(nil)

  /// Returns whether the version differs from the last one. The first version is always new.
  func isNew(_ found: String?) -> Bool {
    version.withLock { version in
      defer { version = found }
      return version != found
    }
  }
}
