import Jansson
import OAuth
import OAuthCore

/// The provider and the client that the configuration names for an account. The account accepts grants from no other.
///
/// Otherwise a client on the pipe could replace the configured provider, and the account's users would not notice.
struct ConfiguredIdentity {
  let configured: ConfiguredAccount
  let account: String
  let service: Service

  /// Rejects a request whose params name another provider or client.
  func check(_ request: AuthorizationInput, given: Service.Given) async throws {
    if let id = configured.clientId, request.clientId != id {
      throw FieldError(
        "/clientId", "is another client than the configuration names for the account \(shown): leave it out, or name another account")
    }
    guard let own = configured.provider, let named = request.provider, given.provider != nil || given.variables != nil else { return }
    // The request may set variables that the configuration leaves open.
    let variables = NamedValues(request.variables.pairs.filter { own.variables[$0.name] == nil }).merged(
      with: configured.variables ?? .init())
    do {
      do {
        try await service.discover(own, variables, for: request)
      } catch var failure as OAuthFailure {
        failure.message =
          "whether this is the provider that the configuration names for the account could not be found out: \(failure.message)"
        throw failure
      }
      let wanted = try service.accounts.resolve(own, variables, for: account)
      let found = try service.accounts.resolve(named, request.variables, for: account)
      if found.isSame(as: wanted), found.sendsSecretsNowhereElse(than: wanted), found.sendsTokensNowhereElse(than: wanted),
        try isAtHome(found, own)
      {
        return
      }
    } catch let failure as OAuthFailure {
      throw service.configuration.placing(failure, inProviderOf: account)
    }
    throw FieldError(
      given.provider == nil ? "/variables" : "/provider",
      "is another provider than the configuration names for the account \(shown): leave it out, or name another account")
  }

  /// Whether a request's variables lead to the same origins as the configuration's own, including a preset's defaults.
  private func isAtHome(_ found: Provider, _ own: ProviderReference) throws -> Bool {
    do throws(OAuthFailure) {
      return found.sendsSecretsNowhereElse(than: try service.accounts.resolve(own, configured.variables ?? .init(), for: account))
    } catch {
      // The configuration lacks a variable that only the request sets.
      guard error.kind == .configurationInvalid else { throw error }
      return true
    }
  }

  private var shown: String { "\"\(account)\"" }
}
