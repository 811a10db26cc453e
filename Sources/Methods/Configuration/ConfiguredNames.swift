import OAuthCore
import Store
import Synchronization

/// The names of the configured accounts. The file is read again only if it has changed.
///
/// An editor asks for an account's state whenever it draws its status line. Reading the file each time would cost more than the answer.
final class ConfiguredNames: Sendable {
  private struct Found {
    var state: JSONFile.FileState
    var names: [String: Result<Entry, OAuthFailure>]
  }

  /// What a listing says of a configured account.
  struct Entry {
    /// Whether its tokens are the client's own, which needs no sign-in.
    var isForClient: Bool
  }

  private let configuration: ConfigurationFile
  private let found = Mutex<Found?>(nil)

  init(_ configuration: ConfigurationFile) { self.configuration = configuration }

  /// Returns the account's entry, or nil if it is not configured. Throws if the entry has a fault.
  func entry(_ account: String) throws(OAuthFailure) -> Entry? {
    let state = configuration.file.look()
    if state != .hidden, let cached = found.withLock({ $0 }), cached.state == state { return try cached.names[account]?.get() }
    // The look comes first, so a change during the read causes another read next time.
    let read = Found(state: state, names: Dictionary(try configuration.names().map { ($0.name, $0.entry) }) { first, _ in first })
    found.withLock { $0 = read }
    return try read.names[account]?.get()
  }
}
