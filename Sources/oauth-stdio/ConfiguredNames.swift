import OAuth
import Synchronization

/// The names of the accounts that are configured: looked up once for requests that arrive together, and read only when the file is another one.
///
/// An editor asks for an account's state whenever it draws its status line; reading the file each time would cost more than the answer.
final class ConfiguredNames: Sendable {
  private struct Found {
    var sight: JSONFile.Sight
    var names: Set<String>
    var isFresh = true
  }

  private let configuration: ConfigurationFile
  private let found = Mutex<Found?>(nil)

  init(_ configuration: ConfigurationFile) {
    self.configuration = configuration
  }

  func contains(_ account: String) throws(OAuthFailure) -> Bool {
    if let known = found.withLock({ $0?.isFresh == true ? $0?.names.contains(account) : nil }) { return known }
    let sight = configuration.file.look()
    let known: Bool? = found.withLock { found in
      guard sight != .hidden, found?.sight == sight else { return nil }
      found?.isFresh = true
      return found?.names.contains(account)
    }
    if let known { return known }
    // The look came first, so that what changes while the file is read is read again next time.
    let names = Set(try configuration.read()?.accounts.pairs.map(\.name) ?? [])
    found.withLock { $0 = Found(sight: sight, names: names) }
    return names.contains(account)
  }

  /// To be called when more requests have arrived.
  func endGlance() { found.withLock { $0?.isFresh = false } }
}
