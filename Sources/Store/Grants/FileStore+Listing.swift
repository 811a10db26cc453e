import OAuthCore
import Platform

extension FileStore {
  /// Reads every grant file once, and moves none. A damaged file is set aside when its account is used. Leaves out files that were deleted meanwhile.
  package func list() async throws(OAuthFailure) -> [AccountSummary.Listed] {
    try await disk.run { [self] () throws(OAuthFailure) in
      try grantNames().compactMap(listed).sorted { $0.account < $1.account }
    }
  }

  /// The names of the grant files.
  func grantNames() throws(OAuthFailure) -> [String] {
    try checkFolder()
    return try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder, endingIn: FileName.suffix) }
  }

  private func listed(_ name: String) -> AccountSummary.Listed? {
    do throws(OAuthFailure) {
      guard let summary = try summary(name) else { return nil }
      return AccountSummary.Listed(summary, usedAt: lastUse(of: summary.account))
    } catch {
      return AccountSummary.Listed(account: FileName.account(of: name), problem: error)
    }
  }

  /// Returns nil if the file was deleted meanwhile.
  private func summary(_ name: String) throws(OAuthFailure) -> AccountSummary? {
    let path = "\(folder)/\(name)"
    do throws(Unreadable) {
      guard let stored = try load(path) else { return nil }
      guard FileName.of(stored.grant.account) == name else { throw .damaged }
      return stored.summary
    } catch {
      switch error {
      case .stays(let failure): throw failure
      case .damaged: throw StorageFailure.damaged(path)
      }
    }
  }
}
