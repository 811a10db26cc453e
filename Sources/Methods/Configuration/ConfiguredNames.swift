import OAuthCore
import Store
import Synchronization

/// The names of the configured accounts. The file is read again only if it has changed.
///
/// An editor asks for an account's state whenever it draws its status line. Reading the file each time would cost more than the answer.
final class ConfiguredNames: Sendable {
  private struct Found {
    var state: JSONFile.FileState
    var names: [String: Result<Bool, OAuthFailure>]
  }

  private let configuration: ConfigurationFile
  private let found = Mutex<Found?>(nil)

  init(_ configuration: ConfigurationFile) { self.configuration = configuration }

  /// Returns whether the configured account's tokens are the client's own, which needs no sign-in; nil if it is not configured. Throws if its entry
  /// has a fault.
  func isForClient(_ account: String) throws(OAuthFailure) -> Bool? {
    let state = configuration.file.look()
    if state != .hidden, let cached = found.withLock({ $0 }), cached.state == state { return try cached.names[account]?.get() }
    // The look comes first, so a change during the read causes another read next time.
    let read = Found(state: state, names: Dictionary(try configuration.names().map { ($0.name, $0.entry) }) { first, _ in first })
    found.withLock { $0 = read }
    return try read.names[account]?.get()
  }
}
