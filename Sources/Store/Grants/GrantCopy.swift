import OAuthCore

/// Moves grants from one store to another. Both must have the same key: the grants of a client that may not export them stay sealed with it.
package struct GrantCopy: Sendable {
  let source: any AccountStore
  let target: any AccountStore
  /// Whether a grant replaces another one of its account in the target.
  let replaces: Bool
  /// Whether the source keeps its grants. Two stores that refresh one grant end it at providers that rotate refresh tokens.
  let keepsSource: Bool

  package struct Outcome: Sendable {
    package var moved: [String] = []
    /// The accounts that have another grant in the target.
    package var skipped: [String] = []
  }

  package init(from source: any AccountStore, to target: any AccountStore, replaces: Bool, keepsSource: Bool) {
    (self.source, self.target, self.replaces, self.keepsSource) = (source, target, replaces, keepsSource)
  }

  /// Moves the grants of the accounts that `isWanted` accepts. A grant is in the target before it leaves the source, so a killed process loses none, and
  /// a repetition finishes the move.
  package func run(where isWanted: (String) -> Bool) async throws -> Outcome {
    guard let key = try await source.keyIdentifier() else {
      throw OAuthFailure(.storageFailure, "there is no store with grants where they should come from")
    }
    // Checked first, because the target would create a key of its own.
    guard try await target.keyIdentifier() == key else {
      throw OAuthFailure(
        .storageFailure, "the two stores need the same key: copy the key file of the first to the other, before that has one")
    }
    try await target.makeReady()
    var outcome = Outcome()
    for listed in try await source.list().sorted(by: { $0.account < $1.account }) where isWanted(listed.account) {
      if let problem = listed.problem { throw problem }
      let isMoved = try await move(listed.account)
      if isMoved { outcome.moved.append(listed.account) } else { outcome.skipped.append(listed.account) }
    }
    return outcome
  }

  private func move(_ account: String) async throws -> Bool {
    // A move in the other direction takes these two locks the other way round. One of the two moves then fails after its wait.
    let locks = (try await source.lock(account), try await target.lock(account))
    defer { withExtendedLifetime(locks) {} }
    guard let grant = try source.read(account) else { return true }
    let present = try target.read(account)
    guard present == nil || present == grant || replaces else { return false }
    if present != grant { try await target.write(grant) }
    if !keepsSource { try await source.remove(account) }
    return true
  }
}
