import Jansson
import OAuthCore
import Platform
import Store

/// An account: its name, and what people do with it. `Life` has what this process knows of it, and the store has its grant.
///
/// Other tasks and processes work on the same account, so each method looks again after it has waited. Only `change` writes.
package struct Account: Sendable {
  package let name: String
  let key: AccountKey
  let accounts: Accounts

  package struct Outcome: Sendable {
    package var grant: Grant
    /// Whether this call stored a new access token.
    package var refreshed: Bool
    /// Whether the old token is used because no new one is available.
    var isPutOff = false
  }

  /// A grant as it was stored, and the one that it replaced, both read under one lock.
  struct SavedGrant: Sendable {
    var grant: Grant
    var previous: Grant?
  }

  init(_ name: String, _ accounts: Accounts) { (self.name, key, self.accounts) = (name, AccountKey(name), accounts) }

  var dependencies: Dependencies { accounts.dependencies }
  var lives: Lives { accounts.lives }
  var life: Life { lives[key] }

  // MARK: Reading

  /// Returns the account's grant, also if it could not be written to disk.
  func current() throws(OAuthFailure) -> Grant? { overlay(try dependencies.store.read(name)?.described(by: dependencies.catalog)) }

  /// Tries again to write an unsaved grant, then returns the account's grant.
  func currentAfterSaving() async throws -> Grant? {
    if life.unsaved != nil { await saveAgain() }
    return try current()
  }

  /// Returns the grant that could not be written to disk in place of the stored one, which it replaces.
  func overlay(_ stored: Grant?) -> Grant? {
    guard let unsaved = life.unsaved, unsaved.stillReplaces(stored) else { return stored }
    return unsaved.grant
  }

  func overlay(_ stored: StoredGrant?) -> StoredGrant? {
    guard let unsaved = life.unsaved, unsaved.stillReplaces(stored?.grant) else { return stored }
    return StoredGrant(unsaved.grant, sealedWith: stored?.keySource)
  }

  func emit(_ requestID: JSON?, _ kind: AccountEvent.Kind) { accounts.emit(name, requestID, kind) }
}

/// Work that has to finish before the process ends.
extension Accounts {
  /// Seconds that the process waits at its end for second removals, which wait for other processes.
  private static let sweepTimeoutSeconds = 10

  /// Puts the grants that could not be written to disk in place of the stored ones.
  func overlay(_ listed: [AccountSummary.Listed]) -> [AccountSummary.Listed] {
    var listed = listed
    for unsaved in lives.all.compactMap(\.unsaved) {
      let account = unsaved.grant.account
      guard let found = self[account].overlay(try? store.find(account)), found.grant == unsaved.grant else { continue }
      listed.removeAll { $0.account == account }
      listed.append(AccountSummary.Listed(found.summary, usedAt: store.lastUse(of: account)))
    }
    return listed.sorted { $0.account < $1.account }
  }

  /// Tries again to write every grant that the disk did not take.
  package func saveAll() async {
    for unsaved in lives.all.compactMap(\.unsaved) { await self[unsaved.grant.account].saveAgain() }
  }

  /// Waits for refreshes that may have been sent, and for grants that are still to be written. With `isLast` no further refresh is sent.
  func finishRefreshes(within seconds: Int, isLast: Bool) async {
    if isLast { lives.close() }
    guard !lives.hasNoWork else { return }
    _ = try? await clock.withTimeout(seconds) { [self] in
      for life in lives.all {
        if case .sent(_, let promise, _) = life.refresh { _ = try? await promise.value() }
      }
      await saveAll()
    }
    _ = try? await clock.withTimeout(min(seconds, Self.sweepTimeoutSeconds)) { [lives] in
      for life in lives.all {
        guard case .sweeping(let sweep) = life.removal else { continue }
        await withTaskCancellationHandler {
          await sweep.value
        } onCancel: {
          sweep.cancel()
        }
      }
    }
  }
}
