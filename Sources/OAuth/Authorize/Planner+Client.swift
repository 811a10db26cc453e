import Jansson
import OAuthCore
import Store

/// Flows without a user.
extension Planner {
  /// Rejects what the caller brings for a flow that has no use for it, and claims that the configured key would sign.
  func check(_ brought: ClientRequest, of plan: AuthorizationPlan) throws(FieldError) {
    if let member = brought.firstMember, !plan.isForClient {
      throw FieldError("/" + member, "needs a flow without a user", ", such as jwtBearer or tokenExchange")
    }
    guard brought.assertionClaims != nil, plan.client.configuredKey != nil else { return }
    throw FieldError("/assertionClaims", "belongs to the configuration of the account \(shown)", ", as the key that signs it does")
  }

  /// Rejects a provider that would send what the sources have to an origin that the configuration, or the preset in it, does not name.
  func checkSources(_ sources: ClientSources, for provider: Provider) throws {
    guard let configured, !sources.isEmpty else { return }
    guard let proof = configured.provider else { throw configured.missingProvider }
    if try sendsSecretsOnly(provider, to: proof) { return }
    if let missing = missing(try catalog.written(proof, configuredVariables), for: .request) { throw missing }
    throw FieldError("/provider", "sends the configured tokens to other servers than the configuration names for the account \(shown)")
  }
}
