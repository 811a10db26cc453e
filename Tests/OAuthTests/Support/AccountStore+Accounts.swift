@testable import OAuth
@testable import Store

extension AccountStore {
  /// The names of all accounts with a grant, sorted.
  func accounts() async throws -> [String] { try await list().map(\.account).sorted() }
}

extension MemoryStore {
  /// Does not throw, unlike the function of all stores.
  func read(_ account: String) -> Grant? { find(account)?.grant }
}
