import Jansson

/// All accounts: what is kept of them, the sign-ins that are open and the refreshes that are under way.
package final class Accounts: Sendable {
  /// Tokens count as dead this many seconds early, so that one does not die on its way to the service.
  package static let validity = 60

  let surroundings: Surroundings
  let refreshes: Refreshes
  let signIns: SignIns

  package init(_ surroundings: Surroundings) {
    self.surroundings = surroundings
    let refreshes = Refreshes(surroundings)
    self.refreshes = refreshes
    signIns = SignIns(surroundings) { try await refreshes.keep($0) }
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
  package func names() throws(OAuthFailure) -> [String] { try store.accounts() }

  /// Returns when no refresh is under way, or after `seconds`: a token that a server has just replaced must reach the disk.
  package func finishRefreshes(within seconds: Int) async {
    await refreshes.finish(within: seconds)
  }

  // MARK: Signing in

  /// A stored grant that is good; else a refreshed one; else somebody signs in.
  package func authorize(_ request: AuthorizeRequest) async throws -> Authorization {
    let setup: AuthorizeSetup
    do {
      setup = try settle(request)
      return try await authorize(setup)
    } catch let failure as OAuthFailure {
      throw request.account.map(failure.of) ?? failure
    }
  }

  /// What a sign-in would send, whatever is stored; nothing is sent, kept or told.
  package func rehearse(_ request: AuthorizeRequest) async throws -> (account: String, rehearsal: Rehearsal) {
    let setup = try settle(request)
    do {
      return (setup.account, try await signIns.rehearse(try await union(withFlow(setup))))
    } catch let failure as OAuthFailure {
      throw failure.of(setup.account)
    }
  }

  private func authorize(_ setup: AuthorizeSetup) async throws -> Authorization {
    let request = setup.request
    let reason: OAuthFailure.Reason
    if request.interaction == .always {
      reason = .noGrant
    } else {
      switch try await usable(setup) {
      case .usable(let authorization):
        tell(setup.account, request.cause, .authorized(authorization))
        return authorization
      case .unusable(let found): reason = found
      }
    }
    let asked = try await union(withFlow(setup))
    if request.interaction == .never { throw OAuthFailure.signInRequired(reason, account: setup.account) }
    let signIn: SignIn
    do {
      try await store.makeReady()
      signIn = try await signIns.begin(asked)
    } catch let failure as OAuthFailure {
      throw failure.of(setup.account)
    }
    guard request.waits else { return Authorization(pending: signIn.prompt, account: setup.account) }
    return try await wait(for: signIn)
  }

  /// The union is asked for, since a new grant replaces the old one with its scopes.
  private func union(_ setup: AuthorizeSetup) async throws -> AuthorizeSetup {
    guard let grant = try await refreshes.settled(setup.account), setup.matches(grant) else { return setup }
    var asked = setup
    asked.scopes += grant.granted(beside: asked.scopes)
    if setup.request.addsScopes { asked.expect(grant) }
    return asked
  }

  /// Waits for an open sign-in, or tells how a recent one ended; nil when the id is unknown.
  package func awaitSignIn(id: String, timeout: Int?) async throws -> Authorization? {
    guard let signIn = await signIns.signIn(id: id) else { return nil }
    guard let timeout else { return try await signIn.authorization.value() }
    return try await withThrowingTaskGroup(of: Authorization.self) { group in
      group.addTask { try await signIn.authorization.value() }
      group.addTask {
        try await Task.sleep(for: .seconds(timeout))
        throw OAuthFailure(
          .timedOut, "the sign-in is still open after \(timeout) s", isRetryable: true, account: signIn.setup.account)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  /// Takes a redirect that the client caught or the user pasted; false when it belongs to no open sign-in.
  package func handleRedirect(_ url: String) async -> Bool {
    var found: (signIn: SignIn, parameters: [RedirectParameter])?
    for parameters in Self.parameters(ofRedirect: url) where found == nil {
      found = await signIns.signIn(for: parameters).map { ($0, parameters) }
    }
    guard let (signIn, parameters) = found else {
      surroundings.remark(.redirectRefused)
      return false
    }
    // A sign-in that goes on with another page has not ended, and nobody can wait here until it has.
    if case .unfinished = await signIn.receive(parameters) { return true }
    // What it caused is told before it is answered; whether it went well is the sign-in's affair.
    _ = try? await signIn.authorization.value()
    return true
  }

  package func abandonUnawaitedSignIns() async { await signIns.abandonUnawaited() }
  package func abandonAllSignIns() async { await signIns.abandonAll() }

  private func wait(for signIn: SignIn) async throws -> Authorization {
    do {
      let authorization = try await signIn.authorization.value()
      signIn.leave()
      return authorization
    } catch is CancellationError where Task.isCancelled {
      // The last who waited has gone, so nobody would hear of the end; unless it was begun without anybody waiting.
      if signIn.leave() == 0, signIn.setup.request.waits { await signIn.abandon("cancelled", Self.cancelledSignIn(signIn)) }
      throw CancellationError()
    }
  }

  private static func cancelledSignIn(_ signIn: SignIn) -> OAuthFailure {
    var failure = OAuthFailure.signInRequired(.noGrant, account: signIn.setup.account)
    failure.message = "the sign-in was cancelled"
    return failure
  }

  private enum Usability {
    case usable(Authorization)
    case unusable(OAuthFailure.Reason)
  }

  private func usable(_ setup: AuthorizeSetup) async throws -> Usability {
    guard var grant = try await refreshes.settled(setup.account), setup.matches(grant) else { return .unusable(.noGrant) }
    // The provider has ended this grant; that its access token may live a little longer helps nobody who wants to stay signed in.
    if grant.isRefreshRefused { return .unusable(grant.reasonOfEnd) }
    let asked = setup.scopes(askedOf: grant)
    var via = Via.stored
    do {
      if grant.unknownScopes == .unasked, !asked.isEmpty, grant.canRefresh(at: now) {
        // A refresh may name what was granted (RFC 6749, 6) and costs nobody a page.
        let outcome = try await refreshes.refresh(
          setup.account, .init(seen: grant.generation, force: true), cause: setup.request.cause)
        (grant, via) = (outcome.grant, .refreshed)
      }
    } catch let failure as OAuthFailure where failure.kind == .signInRequired {
      return .unusable(.refreshRefused)
    }
    let missing = grant.missing(of: asked).filter { setup.request.addsScopes || !grant.declinedScopes.contains($0) }
    guard missing.isEmpty else { return .unusable(.scopesMissing) }
    if grant.lives(for: validity(of: grant, setup), at: now) {
      let renewed = try await renewedAhead(grant, cause: setup.request.cause)
      return .usable(Authorization(renewed ?? grant, via: renewed == nil ? via : .refreshed, asked: asked, now: now))
    }
    guard grant.canRefresh(at: now) else { return .unusable(.expired) }
    do {
      let refreshed = try await refreshes.refresh(setup.account, .init(seen: grant.generation), cause: setup.request.cause)
      return .usable(Authorization(refreshed.grant, via: .refreshed, asked: asked, now: now))
    } catch let failure as OAuthFailure where failure.kind == .signInRequired {
      return .unusable(.refreshRefused)
    }
  }

  /// How long a token has to live yet, in seconds: one that nothing can replace is not handed out again on its last days where somebody can sign in.
  private func validity(of grant: Grant, _ setup: AuthorizeSetup) -> Int {
    guard setup.request.interaction != .never, !grant.canRefresh(at: now) else { return Self.validity }
    // Never more than half a life, or the new token would be too old as well.
    let half = ((grant.expiresAt ?? now) - grant.issuedAt) / 2
    return max(Self.validity, min(setup.provider.request.signInAgainWithin, half))
  }

  /// Settles account, provider, client and scopes; what the caller leaves out is taken from the stored grant.
  func settle(_ request: AuthorizeRequest) throws -> AuthorizeSetup {
    if let reference = request.provider?.with(privateKey: request.privateKey) {
      let provider = try surroundings.presets.resolve(reference, variables: request.variables)
      let account = request.account ?? provider.defaultAccount
      // The client of a stored grant is known to its own provider and to no other.
      let stored = try described(account).flatMap { grant in grant.isOf(provider) ? grant : nil }
      guard let id = request.clientId ?? stored?.client.id ?? (provider.needsClient ? nil : "") else { throw Self.missing("clientId") }
      let client = Client(id: id, secret: try request.clientSecret ?? stored?.secret(of: id, for: provider))
      return AuthorizeSetup(
        account: account, provider: provider, client: client, scopes: request.scopes ?? provider.request.scopes, request: request)
    }
    guard let account = request.account else { throw Self.missing("provider") }
    guard let stored = try described(account) else {
      throw FieldError("/provider", "is missing, and nothing is configured or kept for this account")
    }
    let provider = try stored.resolvedProvider
    let id = request.clientId ?? stored.client.id
    // Another client's secret is no secret of this one.
    let client = Client(id: id, secret: request.clientSecret ?? (id == stored.client.id ? stored.client.secret : nil))
    return AuthorizeSetup(
      account: account, provider: provider, client: client, scopes: request.scopes ?? stored.grantedScopes, request: request)
  }

  private static func missing(_ member: String) -> FieldError { FieldError("/\(member)", "is missing") }

  /// The parameters of a redirect as it was caught or pasted: its query, and its fragment, where the answer came there.
  private static func parameters(ofRedirect url: String) -> [[RedirectParameter]] {
    let text = PastedText(url).text.filter { !$0.isWhitespace && !$0.isNewline }
    let withoutFragment = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let query = withoutFragment[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var candidates: [Substring] = query.count > 1 ? [query[1]] : [withoutFragment[0]]
    if withoutFragment.count > 1 { candidates.append(withoutFragment[1]) }
    return candidates.compactMap { candidate in
      guard let pairs = try? FormEncoding.decode(String(candidate)) else { return nil }
      let parameters = pairs.map { RedirectParameter(name: $0.0, value: $0.1) }
      // A parameter that stands twice could be read in two ways (RFC 6749, 3.1).
      let isPlain = ["state", "code", "error", "iss"].allSatisfy { name in parameters.count { $0.name == name } <= 1 }
      return isPlain ? parameters : nil
    }
  }

  func tell(_ account: String, _ cause: JSON?, _ fact: AccountEvent.Fact) {
    surroundings.tell(AccountEvent(account: account, cause: cause, fact: fact))
  }
}
