import OAuthCore

/// The store of a process without a folder for one. It stores nothing, and operations that would store a grant fail and name what is missing.
package struct HomelessStore: GrantStore {
  private static let failure = OAuthFailure(
    .storageFailure, "there is no home directory to keep grants in: set HOME or XDG_DATA_HOME, or name a folder with --store")

  package init() {}

  package func read(_ account: String) -> Grant? { nil }
  package func write(_ grant: Grant) throws(OAuthFailure) { throw Self.failure }
  package func remove(_ account: String) {}
  package func accounts() -> [String] { [] }
  package func makeReady() throws(OAuthFailure) { throw Self.failure }
  package func lock(_ account: String) throws -> GrantLock { throw Self.failure.of(account) }
}
