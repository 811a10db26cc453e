import Jansson
import OAuthCore
import Platform
import Store

/// New tokens: a user's by a refresh, and the client's own by a request as the configuration describes it.
extension Accounts {
  /// Whether the configuration says that the account's tokens are the client's own. They need no sign-in.
  package func isForClient(_ account: String) throws(OAuthFailure) -> Bool { try configured(account)?.isForClient == true }

  /// Returns the account's grant. Requests the client's own if there is none.
  func present(_ account: String, requestID: JSON?) async throws -> Grant {
    if let grant = try await self[account].currentAfterSaving() { return grant }
    return try await obtained(account, .init(), requestID: requestID).grant
  }

  /// Returns the grant with a new token. A fault of the configuration does not keep a user's token from being refreshed.
  func renew(_ grant: Grant, _ need: Account.RefreshReason, requestID: JSON?) async throws -> Account.Outcome {
    if need.isPlanned { return try await self[grant.account].refresh(need, requestID: requestID) }
    if (try? isForClient(grant.account)) == true { return try await obtained(grant.account, need, requestID: requestID) }
    return try await tryingAgain(\Grant.client) {
      try await self.withSecret(grant)
    } _: { grant in
      var need = need
      if grant.client.configuredSecret != nil { need.client = grant.client }
      return try await self[grant.account].refresh(need, requestID: requestID)
    }
  }

  /// Does the work. If the server rejects the client, does it once more if the client has another secret by now.
  private func tryingAgain<Subject, Value>(
    _ client: KeyPath<Subject, Client>, _ subject: () async throws -> Subject, _ work: (Subject) async throws -> Value
  ) async throws -> Value {
    let first = try await subject()
    do {
      return try await work(first)
    } catch let failure as OAuthFailure where failure["error"] == "invalid_client" {
      guard let second = try? await subject(), second[keyPath: client] != first[keyPath: client] else { throw failure }
      return try await work(second)
    }
  }

  /// Returns the client's own grant. All callers of this process share a request, and those of other processes wait for the account's lock.
  func obtained(_ account: String, _ need: Account.RefreshReason, requestID: JSON?) async throws -> Account.Outcome {
    guard try isForClient(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    while true {
      let (request, _) = self[account].share(need) { [self] in
        let outcome = try await tryingAgain(\AuthorizationPlan.client) {
          try await clientPlan(account)
        } _: { plan in
          do {
            return try await self[account].obtain(plan) { plan.isMet(by: $0, at: $1) && need.isMet(by: $0, at: $1) }
          } catch let failure as OAuthFailure {
            throw failure.of(account)
          }
        }
        if outcome.refreshed { emit(account, requestID, .refreshed(expiresAt: outcome.grant.expiresAt, refreshTokenChanged: false)) }
        return outcome
      }
      let outcome = try await request.value()
      // The shared request may have served a caller that was content with less.
      if outcome.refreshed || need.isMet(by: outcome.grant, at: clock.instant) { return outcome }
    }
  }

  /// Returns the plan for the client's own token, as the configuration describes it.
  private func clientPlan(_ account: String) async throws -> AuthorizationPlan {
    var input = AuthorizationInput()
    input.account = account
    return try await withContext(of: input) { context in
      do {
        let (plan, _) = try await self.rediscovered(try await self.plan(context), context, context.stored)
        try plan.checkPlaces()
        return try self.forSignIn(plan, context, replacing: nil)
      } catch let failure as OAuthFailure {
        throw context.placing(failure.of(account))
      } catch let fault as FieldError {
        throw context.configured?.placing(fault) ?? fault
      }
    }
  }
}
