import Jansson
import OAuthCore
import Store

/// The client's secret at each use: the configuration's, which the user may have replaced since the sign-in.
extension Accounts {
  /// Returns the grant with the secret of the configuration's entry. The stored secret is used if there is no entry or its secret cannot be had.
  /// Throws if there is no secret at all for a client that needs one: a request without it would fail.
  func withSecret(_ grant: Grant) async throws -> Grant {
    var grant = grant
    do {
      if let secret = try await configuredSecret(of: grant) { grant.client.configuredSecret = secret }
    } catch let error where !(error is CancellationError) {
      guard grant.client.secret != nil else { throw error }
    }
    try grant.client.check(of: grant.account)
    return grant
  }

  /// Returns the secret of the account's entry, if the entry's client is the grant's; nil if there is none.
  /// Throws if the grant would send it to an origin that the entry's provider does not name: a client can import a grant.
  private func configuredSecret(of grant: Grant) async throws -> Secret? {
    guard let entry = try configured(grant.account), entry.clientSecret != nil, entry.clientId ?? grant.client.id == grant.client.id else {
      return nil
    }
    var input = AuthorizationInput()
    input.account = grant.account
    // Without a provider in the entry, a preset that the sign-in named says where the secret may go.
    input.usualProvider = grant.preset.map(ProviderReference.preset)
    let plan = try await withContext(of: input) { try await self.plan($0) }
    if let client = try plan.ownClient(for: grant) { return client.configuredSecret }
    // The grant may have the same secret already, for its own provider.
    guard grant.client.secret == nil else { return nil }
    throw OAuthFailure.secretProblem(
      grant.account,
      "stays here: the stored grant would send it to a server that the configured provider does not name. Sign in again, or correct the provider"
    )
  }
}

extension Client {
  /// Throws if the client signed in with a configured secret and there is none now.
  func check(of account: String) throws(OAuthFailure) {
    guard isSecretConfigured, secret == nil else { return }
    throw .secretProblem(account, "is missing: the account's client signed in with it. Add it; the login stays")
  }
}

extension OAuthFailure {
  /// A fault of the secret in the account's entry.
  fileprivate static func secretProblem(_ account: String, _ problem: String) -> OAuthFailure {
    let place = ObjectReader.pointer(to: "clientSecret", in: ObjectReader.pointer(to: account, in: "/accounts"))
    return OAuthFailure(
      .configurationInvalid, "the configuration's \(place) \(problem)", details: [.init("path", .string(place))], account: account)
  }
}
