import Jansson
import Loopback
import OAuthCore
import Plans
import Platform
import Signatures
import Store

/// Beginning a sign-in.
extension Account {
  var openSignIn: SignIn? { life.signIn }

  /// Returns the account's open sign-in if the plan can join it (`isJoinable`), and starts one if none is open.
  /// Any other open sign-in throws `signInInProgress`.
  ///
  /// Interaction `always` replaces the open sign-in of the same client, because its tab may be closed or a different user may have to sign in.
  /// Equal requests for a stronger sign-in share one page.
  func joinOrOpenSignIn(_ plan: AuthorizationPlan) async throws -> SignIn {
    let started = Promise<Void>()
    preparing: while true {
      try Task.checkCancellation()
      switch lives.change(key, { $0.openPage(started) }) {
      case .none: break preparing
      case .opening(let other):
        // The failure of the other preparation is reported to its own caller. This request tries again.
        try await withinTimeout(plan) { _ = try? await other.value() }
      case .open(let other) where plan.replaces(other.plan): try await withinTimeout(plan) { await other.endForAnother() }
      case .open(let other) where !other.plan.isJoinable(by: plan): throw other.inProgress(for: plan)
      case .open(let other): if try await other.join(plan.request) { return other }
      }
    }
    defer { started.settle(.success(())) }
    let signIn: SignIn
    do {
      signIn = try await start(plan)
    } catch {
      lives.change(key) { $0.page = .none }
      let named = (error as? OAuthFailure).map(plan.namingRegistration) ?? error
      await changeSignInRecord { $0.take(.failure(named), at: dependencies.clock.now, leaving: $0.open) }
      throw named
    }
    lives.change(key) { $0.page = .open(signIn) }
    dependencies.log(.init(.debug, "the sign-in \(signIn.prompt.id) of \(name) is open"))
    await signIn.begin()
    await signIn.showPage(for: plan.request)
    return signIn
  }

  private func start(_ wanted: AuthorizationPlan, goesOn: Bool = true) async throws -> SignIn {
    var plan = wanted
    // Some servers tell on the page alone that they have forgotten the client.
    let record = await signInRecord
    if record.failure != nil || accounts.signIns.isSuspect(plan.client) { plan.registered = nil }
    let open = record.left(at: dependencies.clock.now).flatMap { goesOn && $0.isFor(plan) ? $0 : nil }
    if let open { plan = plan.goingOn(with: open, at: dependencies.clock.now) }
    if open == nil, plan.outlives { plan.seed = dependencies.random(OpenSignIn.seedLength) }
    if plan.dpopKey == nil, plan.bindsTokens { plan.dpopKey = SigningKey.newProofKey() }
    let asked = plan
    if plan.usesDevice {
      do {
        let exchange = try await withinTimeout(plan) { [dependencies] in
          let registered = try await asked.registered(redirectUri: nil, http: dependencies.http)
          return try await DeviceFlow.begin(registered, dependencies: dependencies)
        }
        return signIn(plan, exchange, SignIn.Redirection(uri: ""))
      } catch let failure as OAuthFailure where plan.request.flow == .auto && failure.kind == .authorizationServerError {
        // Most clients are not registered for the device flow. The bare URL is then better than no page.
        let account = plan.account
        dependencies.log(.init(.warning, "the provider issued no device code for \(account), so the browser is used instead"))
      }
    }
    let redirection: SignIn.Redirection
    do {
      redirection = try await accounts.signIns.redirect(plan)
    } catch let failure as OAuthFailure where open != nil && failure.kind == .portInUse {
      // The redirect of the open page cannot arrive. The user needs a new page.
      await changeSignInRecord { $0.open = nil }
      return try await start(wanted, goesOn: false)
    }
    let exchange: any SignInFlow
    do {
      exchange = try await withinTimeout(plan) { [dependencies] in
        var registered = open != nil ? asked : try await asked.registered(redirectUri: redirection.uri, http: dependencies.http)
        let flow: any SignInFlow
        do {
          flow = try await registered.flow(redirectUri: redirection.uri, dependencies: dependencies)
        } catch let failure as OAuthFailure where failure.serverError?.demandsProof == true && registered.dpopKey == nil {
          // The pushed request shows that the server wants proofs.
          registered.dpopKey = SigningKey.newProofKey()
          flow = try await registered.flow(redirectUri: redirection.uri, dependencies: dependencies)
        }
        if open == nil, asked.outlives {
          let open = OpenSignIn(registered, redirectUri: redirection.uri, at: dependencies.clock.now)
          await changeSignInRecord { $0.open = open }
        }
        return flow
      }
    } catch {
      await redirection.finish()
      throw error
    }
    let signIn = signIn(plan, exchange, redirection)
    redirection.signIn.settle(.success(signIn))
    return signIn
  }

  /// Limits preparation to the request's timeout: a provider that is asked before there is a page may not answer.
  private func withinTimeout<Value: Sendable>(
    _ plan: AuthorizationPlan, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let value = try await dependencies.clock.withTimeout(plan.request.timeout, work) else {
      throw SignIn.timedOut(plan.request.timeout)
    }
    return value
  }

  private func signIn(_ plan: AuthorizationPlan, _ exchange: any SignInFlow, _ redirection: SignIn.Redirection) -> SignIn {
    let timeout = plan.request.timeout
    let codes = exchange.device?.codes
    var prompt = SignInPrompt(
      id: Base64.encodeURL(dependencies.random(9)), url: exchange.url, userCode: codes?.userCode, verificationUri: codes?.verificationUri,
      expiresAt: dependencies.clock.now + min(timeout, codes?.expiresIn ?? timeout, exchange.pageLifetime ?? timeout))
    prompt.issuerChange = plan.issuerChange
    return SignIn(plan: plan, prompt: prompt, exchange: exchange, redirection: redirection, account: self)
  }
}

/// Storing the grants of sign-ins and imports.
extension Account {
  /// A number larger than the generations that one refresh uses.
  private static let generationsOfOneRefresh = 8

  /// Stores a grant of a sign-in or import in place of the current one, unless `admit` throws once the lock is free.
  /// If the grant cannot be stored, `keepsInMemoryOnFailure` says whether it stays in memory. A user has signed in for it; a client can repeat an import.
  package func keep(
    _ grant: Grant, keepsInMemoryOnFailure: Bool = true, if admit: (_ previous: Grant?) throws -> Void = { _ in }
  ) async throws -> SavedGrant {
    var new = grant
    new.login = newLogin()
    var isLocked = false
    do {
      return try await change { hold in
        let saved = withNextGeneration(new, try hold.replaceable)
        isLocked = true
        try admit(saved.previous)
        let before = life.tokens
        do {
          try await hold.store(saved.grant)
        } catch {
          // `store` holds the grant in memory. It must not stay there if the client repeats the import or no request wants the grant any more.
          if !keepsInMemoryOnFailure { lives.change(key) { $0.tokens = before } }
          do {
            try admit(saved.previous)
          } catch let rejection {
            lives.change(key) { $0.tokens = before }
            throw rejection
          }
          throw error
        }
        lives.change(key) { $0.endSweep() }
        return saved
      }
    } catch let error where !isLocked {
      // A lock that fails must not lose the sign-in, and the stored grant must not count as newer.
      let store = dependencies.store
      let disk = Result { () throws(OAuthFailure) in try store.read(name) }
      var held = (try? disk.get()).map { withNextGeneration(new, $0) } ?? SavedGrant(grant: new)
      try admit(held.previous)
      guard keepsInMemoryOnFailure else { throw error }
      // The process that holds the lock may still store a refreshed grant.
      held.grant.generation += Self.generationsOfOneRefresh
      hold(held.grant, replacing: disk, after: error)
      throw error
    }
  }

  /// Returns the grant with the next generation number after the current grant, which it replaces.
  private func withNextGeneration(_ grant: Grant, _ stored: Grant?) -> SavedGrant {
    let previous = overlay(stored)
    var next = grant
    next.generation = (previous?.generation ?? 0) + 1
    if let previous { next.takeOverRefreshToken(of: previous, at: dependencies.clock.now) }
    return SavedGrant(grant: next, previous: previous)
  }

  func newLogin() -> String { Base64.encodeURL(dependencies.random(9)) }

  /// Stores `better` in place of `old`, unless the account has other tokens by now: a concurrent refresh or sign-in wins.
  /// Returns whether the account has `better`.
  func replace(_ old: Grant, with better: Grant) async -> Bool {
    do {
      return try await change { hold in
        guard try hold.grant?.isSame(as: old) == true else { return false }
        try await hold.store(better)
        return true
      }
    } catch {
      // The reason is in the log, and memory holds the grant.
      return life.unsaved?.grant == better
    }
  }

  /// Whether the server rejected the plan for `offline_access`, which the caller did not ask for. The next plan is without it: some servers list it
  /// for other clients only.
  func leavesOutOfflineAccess(_ asked: AuthorizationPlan, after error: any Error) -> Bool {
    let failure = (error as? OAuthFailure.Reported)?.failure ?? error as? OAuthFailure
    guard failure?.serverError == .invalidScope, !asked.namesScopes, asked.scopes.contains("offline_access"),
      let url = asked.provider.discovery
    else { return false }
    return dependencies.servers.discoveries?.leaveOutOfflineAccess(of: url) == true
  }

  /// Marks a self-registered client that the server has rejected. The next sign-in registers another one.
  func forgetClient(_ client: Client) async {
    // A failure is logged, and the next sign-in gets the same rejection.
    try? await change { hold in
      guard var grant = try hold.grant, grant.isClientRegistered, !grant.isClientForgotten, grant.client.id == client.id else { return }
      grant.isClientForgotten = true
      grant.generation += 1
      try await hold.store(grant)
    }
  }

  /// Undoes `keep` by restoring the previous grant. A newer grant, of another sign-in or process, stays.
  func restore(_ saved: SavedGrant) async throws {
    try await change { hold in
      guard try hold.grant?.isSame(as: saved.grant) == true else { return }
      guard var previous = saved.previous else { return try await hold.remove(as: .removed) }
      lives.change(key) { $0.tokens = .onDisk }
      previous.generation = saved.grant.generation + 1
      try await hold.store(previous)
    }
  }
}
