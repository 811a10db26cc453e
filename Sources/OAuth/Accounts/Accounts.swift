import Jansson
import OAuthCore
import Platform

/// All accounts: their stored grants, open sign-ins and running refreshes.
package final class Accounts: Sendable {
  /// Timeout in seconds for a new token if the caller names none: twice the timeout of one exchange.
  package static let patience = 60

  let dependencies: Dependencies
  let refreshes: TokenRefresher
  let signIns: SignInRegistry

  package init(_ dependencies: Dependencies) {
    self.dependencies = dependencies
    let refreshes = TokenRefresher(dependencies)
    self.refreshes = refreshes
    signIns = SignInRegistry(dependencies, refreshes)
  }

  var store: any AccountStore { dependencies.store }
  package var clock: Clock { dependencies.clock }
  package var now: Int { clock.now }

  /// Returns the account's stored grant; throws `signInRequired` if there is none.
  package func grant(_ account: String) throws(OAuthFailure) -> Grant {
    guard let grant = try described(account) else { throw .signInRequired(.noGrant, account: account) }
    return grant
  }

  private func described(_ account: String) throws(OAuthFailure) -> Grant? { try store.read(account)?.described(by: dependencies.catalog) }

  /// Returns the grant as it is on disk, without today's presets; nil if there is none.
  package func stored(_ account: String) throws(OAuthFailure) -> Grant? { try store.read(account) }

  /// Returns what the account's state shows of its grant; nil if there is none.
  package func summary(of account: String) throws(OAuthFailure) -> AccountSummary? { try store.find(account)?.summary }
  package func list() async throws(OAuthFailure) -> [AccountSummary.Listed] { try await store.list() }
  /// Waits at most a second for what the store still writes without being asked.
  package func finishStore() { dependencies.finishStore() }

  /// Whether no sign-in is open, no refresh is running and no refreshed grant is still to be written.
  package var isIdle: Bool { signIns.isIdle && refreshes.isIdle }

  /// Returns when no code is being exchanged, or after `seconds`.
  package func finishSignInExchanges(within seconds: Int) async {
    _ = try? await dependencies.clock.withTimeout(seconds) { [signIns] in await signIns.finishExchanges() }
  }

  /// Returns when no token is being exchanged, or after `seconds`. Tokens that a server has just issued or replaced must reach the disk.
  /// With `isLast` no further refresh is sent.
  package func finishExchanges(within seconds: Int, isLast: Bool = false) async {
    async let signedIn: Void = finishSignInExchanges(within: seconds)
    await refreshes.finish(within: seconds, isLast: isLast)
    await signedIn
  }

  /// Returns the result of `work`, or throws `timedOut` after `seconds`. The message names the whole `time` of the request.
  ///
  /// Limits waiting for another process's lock or for a token endpoint that does not answer.
  /// A refresh continues after the timeout, because a token that the server has replaced must not be lost.
  package func withTokenTimeout<Value: Sendable>(
    _ account: String, _ seconds: Int, of time: Int? = nil, undone: String = "the account's token was not replaced",
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    if let value = try await dependencies.clock.withTimeout(max(1, seconds), work) { return value }
    var failure = OAuthFailure(
      .timedOut, "\(undone) within the \(time ?? seconds) s that there were", isRetryable: true,
      account: account)
    if let holder = store.lockHolder(of: account), !holder.isThisProcess {
      failure.message += ": \(holder.description) has its lock"
      failure.details = holder.details
    }
    throw failure
  }

  // MARK: Signing in

  /// Returns the requests that a sign-in would send. Sends, stores and reports nothing.
  package func dryRun(_ request: AuthorizationInput) async throws -> (account: String, dryRun: DryRun) {
    let plan = try settle(request)
    do {
      return (plan.account, try await signIns.dryRun(try await union(withFlow(plan))))
    } catch let failure as OAuthFailure {
      throw failure.of(plan.account)
    }
  }

  /// The page that the account's user has to open; nil if no sign-in is open.
  package func openSignIn(_ account: String) -> SignInPrompt? { signIns.openSignIn(of: account)?.prompt }

  package func abandonUnawaitedSignIns() async { await signIns.abandonUnawaited() }
  package func abandonAllSignIns() async { await signIns.abandonAll() }

  /// Settles account, provider, client and scopes. Missing values come from the stored grant.
  func settle(_ request: AuthorizationInput) throws -> AuthorizationPlan {
    if let reference = request.provider?.with(privateKey: request.privateKey) {
      let provider = try resolve(reference, request.variables, for: request.account)
      let account = request.account ?? provider.defaultAccount
      // A stored grant's client is valid only at its own provider.
      let stored = try described(account).flatMap { grant in grant.isOf(provider) ? grant : nil }
      guard
        let id = request.clientId ?? stored?.client.id
          ?? (provider.needsClient && !AuthorizationPlan.canRegister(with: provider) ? nil : "")
      else { throw Self.missingClient(of: provider) }
      let client = Client(id: id, secret: try request.clientSecret ?? stored?.secret(of: id, for: provider))
      return AuthorizationPlan(
        account: account, provider: provider, client: client, scopes: request.scopes, beside: stored, request: request)
    }
    guard let account = request.account else { throw Self.missing("provider") }
    guard let stored = try described(account) else {
      // The caller asks only for a stored grant. There is none, and no provider is needed to say so.
      if request.interaction == .never { throw OAuthFailure.signInRequired(.noGrant, account: account) }
      throw FieldError("/provider", "is missing: nothing that is configured or kept for this account names one")
    }
    let provider = try stored.resolvedProvider
    let id = request.clientId ?? stored.client.id
    // The stored secret belongs to the stored client only.
    let client = Client(id: id, secret: request.clientSecret ?? (id == stored.client.id ? stored.client.secret : nil))
    let scopes = request.scopes ?? stored.grantedScopes
    return AuthorizationPlan(account: account, provider: provider, client: client, scopes: scopes, beside: stored, request: request)
  }

  private static func missing(_ member: String) -> FieldError { FieldError("/\(member)", "is missing") }

  private static func missingClient(of provider: Provider) -> FieldError {
    var message = "is missing: the request, the configuration and the stored grant name none"
    if provider.registrationEndpoint == nil { message += ", and \(provider.name) names no endpoint where clients register themselves" }
    let redirect = provider.redirect.loopbackUri.map { " with the redirect URI \($0)" } ?? ""
    message += provider.shownRegistrationPage.map { "; register one\(redirect) at \($0)" } ?? "; register one\(redirect) with the provider"
    return FieldError("/clientId", message)
  }

  func emit(_ account: String, _ requestID: JSON?, _ kind: AccountEvent.Kind) {
    dependencies.emit(AccountEvent(account: account, requestID: requestID, kind: kind))
  }
}
