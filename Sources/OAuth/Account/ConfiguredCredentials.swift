import Jansson
import OAuthCore
import Plans
import Store

/// What the configuration has for an account's requests: the client's secret, key and certificate, and tokens of platforms and other accounts.
///
/// Each use reads it, because the user or the platform may have replaced it since the sign-in.
package struct ConfiguredCredentials: Sendable {
  let accounts: Accounts

  var dependencies: Dependencies { accounts.dependencies }

  /// Returns the grant with the secret of the configuration's entry. The stored secret is used if there is no entry or its secret cannot be had.
  /// Throws if there is no secret at all for a client that needs one: a request without it would fail.
  package func withSecret(_ grant: Grant, forCalls: Bool = false) async throws -> Grant {
    var grant = grant
    // A refresh may have loaded it for the authorization server alone.
    if forCalls { grant.client.configured.certificate = nil }
    do {
      if let client = try await configuredClient(of: grant, forCalls: forCalls), !client.configured.isEmpty { grant.client.take(client) }
    } catch let error where !(error is CancellationError) {
      guard forCalls ? grant.client.certificate != nil : grant.client.hasCredential else { throw error }
    }
    try grant.client.check(of: grant.account, needsSecret: !forCalls)
    return grant
  }

  /// Returns the client with the secrets of the account's entry, if the entry's client is the grant's; nil if there is none.
  /// Throws if the grant would send it to an origin that the entry's provider does not name: a client can import a grant.
  private func configuredClient(of grant: Grant, forCalls: Bool) async throws -> Client? {
    guard let entry = try accounts.configured(grant.account), entry.clientId ?? grant.client.id == grant.client.id else { return nil }
    // The key of OAuth 1.0a is in the grant.
    let hasKey = entry.privateKey != nil && grant.tokenSecret == nil
    guard entry.clientSecret != nil || entry.clientCertificate != nil || hasKey else { return nil }
    var input = AuthorizationInput(account: grant.account)
    input.isOwn = true
    // Without a provider in the entry, a preset that the sign-in named says where the secret may go.
    input.usualProvider = grant.preset.map(ProviderReference.preset)
    let plan = try await accounts.withRequest(input, grant) { try await $0.plan() }
    let mayCall = try !forCalls || grant.resolvedProvider.sendsTokensNowhereElse(than: plan.provider)
    if mayCall, let client = try plan.ownClient(for: grant) { return client }
    // The grant may have the same secret already, for its own provider.
    guard !grant.client.hasCredential else { return nil }
    throw OAuthFailure.secretProblem(
      grant.account, entry.clientCertificate != nil && (entry.clientSecret == nil || forCalls) ? ClientCertificate.member : "clientSecret",
      "stays here: the stored grant would send it to a server that the configured provider does not name. Sign in again, or correct the provider"
    )
  }
}

extension Client {
  /// Throws if the client signed in with a configured secret or key and there is none now.
  func check(of account: String, needsSecret: Bool = true) throws(OAuthFailure) {
    if isCertificateConfigured, certificate == nil {
      let problem = "is missing: the account's client signed in with it. Add it; the login stays"
      throw .secretProblem(account, ClientCertificate.member, problem)
    }
    guard needsSecret, isSecretConfigured, !hasCredential else { return }
    let problem = "is missing, and so is its privateKey: the account's client signed in with one. Add it; the login stays"
    throw .secretProblem(account, "clientSecret", problem)
  }
}

extension OAuthFailure {
  /// A fault of the secret in the account's entry.
  static func secretProblem(_ account: String, _ member: String, _ problem: String) -> OAuthFailure {
    let place = ObjectReader.pointer(to: member, in: ObjectReader.pointer(to: account, in: "/accounts"))
    return .misconfigured(place, "the configuration's \(place) \(problem)").of(account)
  }
}
