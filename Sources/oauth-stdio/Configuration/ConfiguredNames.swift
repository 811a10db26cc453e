import OAuth
import OAuthCore
import Store
import Synchronization

/// The names of the configured accounts. The file is read again only if it has changed.
///
/// An editor asks for an account's state whenever it draws its status line. Reading the file each time would cost more than the answer.
final class ConfiguredNames: Sendable {
  private struct Found {
    var state: JSONFile.FileState
    var names: [String: OAuthFailure?]

    /// Returns whether the account is configured. Throws if its entry has a fault.
    func contains(_ account: String) throws(OAuthFailure) -> Bool {
      guard let entry = names[account] else { return false }
      if let failure = entry { throw failure }
      return true
    }
  }

  private let configuration: ConfigurationFile
  private let found = Mutex<Found?>(nil)

  init(_ configuration: ConfigurationFile) {
    self.configuration = configuration
  }

  func contains(_ account: String) throws(OAuthFailure) -> Bool {
    let state = configuration.file.look()
    if state != .hidden, let known = found.withLock({ $0 }), known.state == state { return try known.contains(account) }
    // The look comes first, so a change during the read causes another read next time.
    let read = Found(state: state, names: Dictionary(try configuration.names().map { ($0.name, $0.failure) }) { first, _ in first })
    found.withLock { $0 = read }
    return try read.contains(account)
  }
}
