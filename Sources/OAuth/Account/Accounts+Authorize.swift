import Jansson

extension Accounts {
  /// A stored grant that is good; else a refreshed one; else somebody signs in.
  ///
  /// Where another sign-in of the account has been in the way, or one that was joined did not bring enough, all of that is gone through once more.
  package func authorize(_ request: AuthorizeRequest) async throws -> Authorization {
    let deadline = Deadline(in: request.timeout)
    do {
      while true {
        if let authorization = try await authorize(try settle(request), deadline) { return authorization }
      }
    } catch let failure as OAuthFailure {
      throw request.account.map(failure.of) ?? failure
    }
  }

  /// nil where it is to be tried anew.
  private func authorize(_ setup: AuthorizeSetup, _ deadline: Deadline) async throws -> Authorization? {
    let request = setup.request
    let reason: OAuthFailure.Reason
    if request.interaction == .always {
      reason = .noGrant
    } else {
      switch try await inTime(setup.account, deadline.left, of: deadline.seconds, { try await self.usable(setup) }) {
      case .usable(let authorization):
        tell(setup.account, request.cause, .authorized(authorization))
        return authorization
      case .unusable(let found): reason = found
      }
    }
    let isPageRefused = request.interaction == .never && !setup.isForClient
    // Where no page may be asked for, it is all the same where it would be.
    let setup = isPageRefused ? setup : try await rediscovered(setup, deadline)
    var asked = try await union(withFlow(setup))
    if isPageRefused { throw OAuthFailure.signInRequired(reason, account: setup.account) }
    // Sign-ins that were in the way may have taken all the time that there was.
    guard deadline.left > 0 else { throw SignIn.timedOut(deadline.seconds).of(setup.account) }
    asked.request.timeout = deadline.left
    do {
      try checkPlaces(of: asked)
      try await store.makeReady()
      if asked.isForClient { return try await authorizeClient(asked) }
      switch try await signIns.enter(asked) {
      case .began(let signIn): return request.waits ? try await wait(for: signIn, deadline) : pending(signIn)
      case .joined(let signIn):
        guard request.waits else { return pending(signIn) }
        return try asked.answer(try await wait(for: signIn, deadline), of: signIn.setup)
      case .blocked(let other):
        guard request.waits else { throw Self.blocked(by: other, reason) }
        return try await waitUntilGone(other, deadline)
      }
    } catch let failure as OAuthFailure {
      throw failure.of(setup.account)
    }
  }

  private func pending(_ signIn: SignIn) -> Authorization { Authorization(pending: signIn.prompt, account: signIn.setup.account) }

  /// The union is asked for, since a new grant replaces the old one with its scopes.
  func union(_ setup: AuthorizeSetup) async throws -> AuthorizeSetup {
    guard let grant = try await refreshes.settled(setup.account) else { return setup }
    var asked = setup
    asked.knownUser = KnownUser(grant)
    // The secret is needed when the sign-in ends.
    if let end = asked.clientSecretExpiresAt, end < now + asked.request.timeout { asked.registered = nil }
    guard setup.matches(grant) else { return asked }
    asked.scopes += grant.granted(beside: asked.scopes)
    if setup.request.addsScopes { asked.expect(grant) }
    return asked
  }

  /// Waits for an open sign-in, or tells how a recent one ended; nil when the id is unknown.
  package func awaitSignIn(id: String, timeout: Int?) async throws -> Authorization? {
    guard let signIn = await signIns.signIn(id: id) else { return nil }
    guard let timeout else { return try await signIn.authorization.value() }
    if let authorization = try await within(timeout, { try await signIn.authorization.value() }) { return authorization }
    throw OAuthFailure(
      .timedOut, "the sign-in is still open after \(timeout) s", isRetryable: true, account: signIn.setup.account)
  }

  /// Each who waits has a time of his own; the last to go takes the sign-in along, for nobody would hear of the end.
  private func wait(for signIn: SignIn, _ deadline: Deadline) async throws -> Authorization {
    let timeout = deadline.seconds
    var left = deadline.left
    do {
      var round: Int
      repeat {
        // Another page that the sign-in asks for has its whole time.
        round = signIn.roundNumber
        defer { left = timeout }
        if let authorization = try await within(max(1, left), { try await signIn.authorization.value() }) {
          _ = signIn.company.leave()
          return authorization
        }
      } while signIn.roundNumber != round
    } catch {
      if error is CancellationError, Task.isCancelled {
        _ = await signIn.leave("cancelled", signIn.cancelled)
      } else {
        _ = signIn.company.leave()
      }
      throw error
    }
    guard await signIn.leave("timedOut", SignIn.timedOut(timeout)) else { throw SignIn.timedOut(timeout) }
    return try await signIn.authorization.value()
  }

  private func waitUntilGone(_ other: SignIn, _ deadline: Deadline) async throws -> Authorization? {
    do {
      if try await within(max(1, deadline.left), { try await other.authorization.value() }) != nil { return nil }
    } catch {
      // How it ended is said to whoever asked for it.
      try Task.checkCancellation()
      return nil
    }
    throw OAuthFailure(.timedOut, "another sign-in of the account was still open after \(deadline.seconds) s", isRetryable: true)
  }

  private static func blocked(by other: SignIn, _ reason: OAuthFailure.Reason) -> OAuthFailure {
    var failure = OAuthFailure.signInRequired(reason, account: other.setup.account)
    failure.message =
      "sign-in is required, but another one is open for the account, with another provider, client, redirect or parameters: "
      + "wait for it with awaitSignIn, or give it up with signOut, and ask again"
    failure.details.append(.init("signIn", .string(other.prompt.id)))
    failure.isRetryable = true
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
    if let better = grant.naming(hostsOf: setup.provider) {
      if await refreshes.replace(grant, with: better) {
        grant = better
      } else {
        // A refresh or a sign-out came first. What the account has then is used as it is, and the next request names the hosts.
        guard let latest = try await refreshes.settled(setup.account), setup.matches(latest) else { return .unusable(.noGrant) }
        grant = latest
      }
    }
    let asked = setup.scopes(askedOf: grant)
    var via = Via.stored
    do {
      if grant.unknownScopes == .unasked, !asked.isEmpty, grant.canRefresh(at: now) {
        // A refresh may name what was granted (RFC 6749, 6) and costs nobody a page.
        let outcome = try await refreshes.refresh(
          setup.account, .init(seen: grant.generation, force: true, client: setup.client(newFor: grant)), cause: setup.request.cause)
        (grant, via) = (outcome.grant, .refreshed)
      }
    } catch let failure as OAuthFailure where failure.kind == .signInRequired {
      return .unusable(.refreshRefused)
    }
    guard setup.missing(of: asked, in: grant).isEmpty else { return .unusable(.scopesMissing) }
    if setup.accepts(lifeOf: grant, at: surroundings.instant) {
      let renewed = try await renewedAhead(grant, cause: setup.request.cause)
      return .usable(Authorization(renewed ?? grant, via: renewed == nil ? via : .refreshed, asked: asked, now: now))
    }
    guard grant.canRefresh(at: now) else { return .unusable(.expired) }
    do {
      let outcome = try await refreshed(
        grant, .init(seen: grant.generation, client: setup.client(newFor: grant)), cause: setup.request.cause)
      via = outcome.isPutOff ? .stored : .refreshed
      return .usable(Authorization(outcome.grant, via: via, asked: asked, now: now))
    } catch let failure as OAuthFailure where failure.kind == .signInRequired {
      return .unusable(.refreshRefused)
    }
  }
}
