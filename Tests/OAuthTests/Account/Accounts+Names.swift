import Jansson

@testable import OAuth
@testable import Store

/// What tests ask of an account by its name.
extension Accounts {
  func usableGrant(
    _ account: String, validity: Int? = nil, withIDToken: Bool = false, needsIDToken: Bool = false, requestID: JSON?
  ) async throws -> (grant: Grant, refreshed: Bool) {
    let idToken: TokenUse.IDToken = needsIDToken ? .needed : withIDToken ? .wanted : .ignored
    let use = TokenUse(validity: validity.map(Grant.Validity.seconds) ?? .use, idToken: idToken)
    let outcome = try await tokens(of: account).grant(for: use, requestID: requestID)
    return (outcome.grant, outcome.refreshed)
  }

  func refresh(
    _ account: String, validity: Int? = nil, force: Bool, requestID: JSON?
  ) async throws -> (authorization: Authorization, refreshed: Bool) {
    try await tokens(of: account).refresh(validity: validity.map(Grant.Validity.seconds) ?? .use, force: force, requestID: requestID)
  }

  func revoke(_ account: String, requestID: JSON?) async throws -> Revocation { try await self[account].revoke(requestID: requestID) }
  func signOut(_ account: String) async throws -> (wasSignedIn: Bool, logoutURL: String?) { try await self[account].signOut() }
  func introspect(_ account: String) async throws -> (isActive: Bool, claims: JSON) {
    try await self[account].introspect(self[account].present(requestID: nil))
  }
}
