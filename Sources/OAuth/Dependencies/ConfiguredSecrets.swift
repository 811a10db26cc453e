import OAuthCore
import Platform
import Synchronization

/// The secrets that a command or the keyring has given. Each is asked once a process, and again after a server has rejected the client: the user may
/// have to type a passphrase.
final class ConfiguredSecrets: Sendable {
  /// Each account's, by its member and source.
  private let cached = Mutex<[AccountKey: [[String]: Secret]]>([:])
  /// A request that ends leaves its reading to the next one.
  private let reading = SingleFlight<Secret>()

  /// `source` is the command's words or the name in the keyring.
  func secret(
    of account: String, _ member: String, from source: [String], _ read: @escaping @Sendable () async throws -> Secret
  ) async throws -> Secret {
    let key = [member] + source
    if let secret = cached.withLock({ $0[AccountKey(account)]?[key] }) { return secret }
    return try await reading.value("\([account] + key)") { [self] in
      let secret = try await read()
      cached.withLock { $0[AccountKey(account), default: [:]][key] = secret }
      return secret
    }
  }

  func forget(_ account: String) { cached.withLock { $0[AccountKey(account)] = nil } }
}
