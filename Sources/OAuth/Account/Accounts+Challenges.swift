import Jansson
import OAuthCore
import Platform
import Store

/// What servers demand of a sign-in beyond its plan.
extension Accounts {
  /// Whether the server rejected `offline_access`, which the caller did not ask for. The next plan is without it: some servers list it for other
  /// clients only.
  func leavesOutOfflineAccess(_ asked: AuthorizationPlan, after error: any Error) -> Bool {
    let failure = (error as? OAuthFailure.Reported)?.failure ?? error as? OAuthFailure
    guard failure?["error"] == "invalid_scope", !asked.namesScopes, let url = asked.provider.discovery else { return false }
    return dependencies.servers.discoveries?.leaveOutOfflineAccess(of: url) == true
  }
}
