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
    let last = Mutex<String??>(nil)
    return {
      do throws(OAuthFailure) {
        let found = try self.version(of: account)
        return last.withLock { last in
          defer { last = found }
          return last != found
        }
      } catch {
        return true
      }
    }
  }
}
