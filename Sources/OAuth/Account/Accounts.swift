import Jansson

/// All accounts: what is kept of them, the sign-ins that are open and the refreshes that are under way.
package final class Accounts: Sendable {
  /// Seconds that a new token may take where the caller does not say how long he waits: twice what one exchange may.
  package static let patience = 60

  let surroundings: Surroundings
  let refreshes: Refreshes
  let signIns: SignIns

  package init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    let refreshes = Refreshes(surroundings)
    self.refreshes = refreshes
    signIns = SignIns(surroundings, refreshes)
  }

  var store: any GrantStore { surroundings.store }
  package var now: Int { surroundings.clock() }

  /// The account's grant as it is kept; throws `signInRequired` where there is none.
  package func grant(_ account: String) throws(OAuthFailure) -> Grant {
    guard let grant = try described(account) else { throw .signInRequired(.noGrant, account: account) }
    return grant
  }

  private func described(_ account: String) throws(OAuthFailure) -> Grant? { try store.read(account)?.described(by: surroundings.presets) }

  /// The same as the disk has it, whatever presets say today; nil where there is none.
  package func stored(_ account: String) throws(OAuthFailure) -> Grant? { try store.read(account) }

  /// The same for an answer that is given at once, to one of several requests that arrived together.
  package func glance(_ account: String) throws(OAuthFailure) -> StoredGrant? { try store.glance(account) }
  /// To be called when more requests have arrived.
  package func endGlance() { store.endGlance() }
  package func list() async throws(OAuthFailure) -> [ListedGrant] { try await store.list() }

  /// Whether no sign-in is open and no refresh is under way or yet to be written.
  package var isIdle: Bool { signIns.isIdle && refreshes.isIdle }

  /// Returns when no code is being exchanged, or after `seconds`.
  package func finishSignInExchanges(within seconds: Int) async {
    _ = try? await within(seconds) { [signIns] in await signIns.finishExchanges() }
  }

  /// Returns when no token is being exchanged, or after `seconds`: what a server has just given or replaced must reach the disk. With `isLast` no refresh
  /// is sent any more.
  package func finishExchanges(within seconds: Int, isLast: Bool = false) async {
    async let signedIn: Void = finishSignInExchanges(within: seconds)
    await refreshes.finish(within: seconds, isLast: isLast)
    await signedIn
  }

  /// What `work` brings within `seconds`, or `timedOut` with the whole `time` that there was.
  ///
  /// For what a new token needs of others: a lock that another process holds, a token endpoint that says nothing. A refresh goes on by itself, so that a
  /// token that the server has replaced is not lost.
  package func inTime<Value: Sendable>(
    _ account: String, _ seconds: Int, of time: Int? = nil, undone: String = "the account's token was not replaced",
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    if let value = try await within(max(1, seconds), work) { return value }
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

  /// What a sign-in would send, whatever is stored; nothing is sent, kept or told.
  package func rehearse(_ request: AuthorizeRequest) async throws -> (account: String, rehearsal: Rehearsal) {
    let setup = try settle(request)
    do {
      return (setup.account, try await signIns.rehearse(try await union(withFlow(setup))))
    } catch let failure as OAuthFailure {
      throw failure.of(setup.account)
    }
  }

  /// The page that the account's user has to open, where a sign-in is open.
  package func openSignIn(_ account: String) -> SignInPrompt? { signIns.openSignIn(of: account)?.prompt }

  package func abandonUnawaitedSignIns() async { await signIns.abandonUnawaited() }
  package func abandonAllSignIns() async { await signIns.abandonAll() }

  /// Settles account, provider, client and scopes; what the caller leaves out is taken from the stored grant.
  func settle(_ request: AuthorizeRequest) throws -> AuthorizeSetup {
    if let reference = request.provider?.with(privateKey: request.privateKey) {
      let provider = try resolve(reference, request.variables, for: request.account)
      let account = request.account ?? provider.defaultAccount
      // The client of a stored grant is known to its own provider and to no other.
      let stored = try described(account).flatMap { grant in grant.isOf(provider) ? grant : nil }
      guard
        let id = request.clientId ?? stored?.client.id ?? (provider.needsClient && !AuthorizeSetup.canRegister(with: provider) ? nil : "")
      else { throw Self.missingClient(of: provider) }
      let client = Client(id: id, secret: try request.clientSecret ?? stored?.secret(of: id, for: provider))
      return AuthorizeSetup(
        account: account, provider: provider, client: client, scopes: request.scopes, beside: stored, request: request)
    }
    guard let account = request.account else { throw Self.missing("provider") }
    guard let stored = try described(account) else {
      // Nothing names a provider, so there is no grant, which is what this caller asks.
      if request.interaction == .never { throw OAuthFailure.signInRequired(.noGrant, account: account) }
      throw FieldError("/provider", "is missing: nothing that is configured or kept for this account names one")
    }
    let provider = try stored.resolvedProvider
    let id = request.clientId ?? stored.client.id
    // Another client's secret is no secret of this one.
    let client = Client(id: id, secret: request.clientSecret ?? (id == stored.client.id ? stored.client.secret : nil))
    let scopes = request.scopes ?? stored.grantedScopes
    return AuthorizeSetup(account: account, provider: provider, client: client, scopes: scopes, beside: stored, request: request)
  }

  private static func missing(_ member: String) -> FieldError { FieldError("/\(member)", "is missing") }

  private static func missingClient(of provider: Provider) -> FieldError {
    var message = "is missing: the request, the configuration and the stored grant name none"
    if provider.registrationEndpoint == nil { message += ", and \(provider.name) names no endpoint where clients register themselves" }
    let redirect = provider.redirect.loopbackUri.map { " with the redirect URI \($0)" } ?? ""
    message += provider.shownRegistrationPage.map { "; register one\(redirect) at \($0)" } ?? "; register one\(redirect) with the provider"
    return FieldError("/clientId", message)
  }

  func tell(_ account: String, _ cause: JSON?, _ fact: AccountEvent.Fact) {
    surroundings.tell(AccountEvent(account: account, cause: cause, fact: fact))
  }
}
