import OAuth
import Synchronization

/// The names of the accounts that are configured: looked up once for requests that arrive together, and read only when the file is another one.
///
/// An editor asks for an account's state whenever it draws its status line; reading the file each time would cost more than the answer.
final class ConfiguredNames: Sendable {
  private struct Found {
    var sight: JSONFile.Sight
    var names: [String: OAuthFailure?]
    var isFresh = true

    /// Throws what is wrong with the account's entry.
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
    if let known = found.withLock({ $0?.isFresh == true ? $0 : nil }) { return try known.contains(account) }
    let sight = configuration.file.look()
    let known: Found? = found.withLock { found in
      guard sight != .hidden, found?.sight == sight else { return nil }
      found?.isFresh = true
      return found
    }
    if let known { return try known.contains(account) }
    // The look came first, so that what changes while the file is read is read again next time.
    let read = Found(sight: sight, names: Dictionary(try configuration.names().map { ($0.name, $0.failure) }) { first, _ in first })
    found.withLock { $0 = read }
    return try read.contains(account)
  }

  /// To be called when more requests have arrived.
  func endGlance() { found.withLock { $0?.isFresh = false } }
}
