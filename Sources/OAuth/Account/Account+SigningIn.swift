import Loopback
import OAuthCore
import Platform
import Store

/// Beginning a sign-in.
extension Account {
  var openSignIn: SignIn? { life.signIn }

  /// Returns the account's open sign-in if the plan can join it (`isJoinable`), and starts one if none is open.
  /// Any other open sign-in throws `signInInProgress`.
  ///
  /// Interaction `always` replaces the open sign-in of the same client, because its tab may be closed or a different user may have to sign in.
  /// Equal requests for a stronger sign-in share one page.
  func enterSignIn(_ plan: AuthorizationPlan) async throws -> SignIn {
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
      throw error
    }
    lives.change(key) { $0.page = .open(signIn) }
    dependencies.log(.signInOpened(account: name, id: signIn.prompt.id))
    await signIn.begin()
    await signIn.ask(for: plan.request)
    return signIn
  }

  private func start(_ plan: AuthorizationPlan) async throws -> SignIn {
    var plan = plan
    if accounts.signIns.isSuspect(plan.client) { plan.registered = nil }
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
        dependencies.log(.deviceFlowLeft(account: plan.account))
      }
    }
    let redirection = try await accounts.signIns.redirect(plan)
    let exchange: any SignInFlow
    do {
      exchange = try await withinTimeout(plan) { [dependencies] in
        let registered = try await asked.registered(redirectUri: redirection.uri, http: dependencies.http)
        return try await registered.flow(redirectUri: redirection.uri, dependencies: dependencies)
      }
    } catch {
      await redirection.finish()
      throw error
    }
    let signIn = signIn(plan, exchange, redirection)
    redirection.router?.serve(signIn)
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
    let prompt = SignInPrompt(
      id: Base64.encodeURL(dependencies.random(9)), url: exchange.url, userCode: codes?.userCode,
      verificationUri: codes?.verificationUri,
      expiresAt: dependencies.clock.now + min(timeout, codes?.expiresIn ?? timeout, exchange.pageLifetime ?? timeout))
    return SignIn(plan: plan, prompt: prompt, exchange: exchange, redirection: redirection, account: self)
  }
}
