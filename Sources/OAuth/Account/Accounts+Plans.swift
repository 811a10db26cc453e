import Jansson
import OAuthCore
import Platform
import Store

/// Plans, and the metadata that they need.
extension Accounts {
  /// Returns the provider that the params name, with what it publishes.
  package func provider(_ reference: ProviderReference, _ variables: NamedValues<String>, in seconds: Int) async throws -> Provider {
    try dependencies.limits.check(provider: reference, variables)
    var input = AuthorizationInput()
    (input.provider, input.variables) = (reference, variables)
    let account = try AuthorizationPlan.account(of: input, dependencies.catalog)
    // Only a document that a grant holds matters here, so an unreadable grant of a complete description does no harm.
    // A fault of the description is reported when it is resolved below.
    let isDiscovered = (try? dependencies.catalog.written(reference, variables))?.discovery != nil
    var stored: Grant?
    if isDiscovered, let account, dependencies.limits.allows(account: account) { stored = try find(account)?.grant }
    let context = RequestContext(
      input: input, account: nil, configured: nil, stored: stored, deadline: dependencies.clock.deadline(in: seconds))
    return try await discovering(context) { context, _ in
      let planner = Planner(input: input, configured: nil, stored: context.stored, catalog: self.dependencies.catalog)
      let provider = try planner.requested(reference, variables)
      return (provider, provider)
    }
  }

  /// Plans the request. Fetches what the plan needs of a provider.
  func plan(_ context: RequestContext) async throws -> AuthorizationPlan {
    try await discovering(context) { context, unreachable in
      let planner = Planner(
        input: context.input, configured: context.configured, stored: context.stored, catalog: self.dependencies.catalog,
        unreachable: unreachable)
      let plan = try planner.plan()
      return (plan, plan.provider)
    }
  }

  /// Fetches the metadata again if they have moved the account to another authorization server: the API may name the grant's own by now.
  func confirmed(_ plan: AuthorizationPlan, _ context: RequestContext) async throws -> (AuthorizationPlan, RequestContext) {
    guard plan.issuerChange != nil, let name = plan.provider.discovery, let url = try? URLParts(name) else { return (plan, context) }
    try await discover(url, name, context.deadline)
    var context = context
    context.stored = try await self[plan.account].currentAfterSaving()
    return (try await self.plan(context), context)
  }

  /// Returns the requests that a sign-in would send. Sends, stores and reports nothing.
  package func dryRun(_ input: AuthorizationInput) async throws -> (account: String, dryRun: DryRun) {
    try await withContext(of: input) { context in
      let plan = try await self.plan(context)
      do {
        var dryRun = try await self.signIns.dryRun(self.forSignIn(plan, context, replacing: plan.stored))
        if let first = try await self.firstStep(plan) { dryRun.steps.insert(first, at: 0) }
        return (plan.account, dryRun)
      } catch let failure as OAuthFailure {
        throw context.blaming(failure.of(plan.account))
      }
    }
  }

  /// Returns the plan for the client's own token, as the configuration describes it.
  func clientPlan(_ account: String) async throws -> AuthorizationPlan {
    try await withContext(of: AuthorizationInput(account: account)) { context in
      do {
        let (plan, _) = try await self.rediscovered(try await self.plan(context), context, context.stored)
        try plan.checkPlaces()
        return try self.forSignIn(plan, context, replacing: nil)
      } catch let failure as OAuthFailure {
        throw context.blaming(failure.of(account))
      } catch let fault as FieldError {
        throw context.configured.map(fault.blaming) ?? fault
      }
    }
  }

  /// Fetches outdated metadata again before the user has to sign in. Returns the plan with the new metadata, and the grant that it replaces.
  func rediscovered(_ plan: AuthorizationPlan, _ context: RequestContext, _ latest: Grant?) async throws -> (AuthorizationPlan, Grant?) {
    guard let (url, name) = outdated(plan.provider) else { return (plan, latest) }
    try await discover(url, name, context.deadline)
    var context = context
    context.stored = try await self[plan.account].currentAfterSaving()?.described(by: dependencies.catalog)
    return (try await self.plan(context), context.stored)
  }

  /// Repeats `work` until it has all documents that it needs, and the provider's own is fresh.
  ///
  /// A document in the account's grant is enough, so that a grant can be used and refreshed without the network.
  /// Each fetch takes time in which another process may sign in or out, so the grant is read again after it.
  private func discovering<Value>(
    _ context: RequestContext, _ work: (_ context: RequestContext, _ unreachable: Set<String>) throws -> (Value, Provider)
  ) async throws -> Value {
    var context = context
    var unreachable: Set<String> = []
    var fetched: Set<String> = []
    while true {
      do {
        let (value, provider) = try work(context, unreachable)
        guard context.stored != nil || context.mayAsk, let (url, name) = outdated(provider), fetched.insert(name).inserted,
          context.stored?.publication?.url != name
        else { return value }
        try await discover(url, name, context.deadline)
      } catch let missing as Planner.MissingPublication {
        do {
          if missing.purpose != .secret, context.stored == nil, !context.mayAsk, let account = context.account {
            throw OAuthFailure.signInRequired(.noGrant, account: account)
          }
          // The account's grant is not of the provider that the caller describes, so the user would have to sign in.
          if missing.purpose == .request, context.input.describesProvider, let account = context.account {
            try dependencies.limits.checkSignIn(account)
          }
          fetched.insert(missing.name)
          try await discover(missing.url, missing.name, context.deadline)
        } catch var failure as OAuthFailure {
          switch missing.purpose {
          case .request: throw failure
          case .secret: unreachable.insert(missing.name)
          case .identity:
            failure.message =
              "this provider could not be compared with the provider that the configuration names for the account: \(failure.message)"
            throw failure
          }
        }
      }
      if let account = context.account { context.stored = try await self[account].currentAfterSaving() }
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

  /// Returns the URL of the provider's metadata if this process has to fetch it again.
  private func outdated(_ provider: Provider) -> (url: URLParts, name: String)? {
    guard let discoveries = dependencies.servers.discoveries, let name = provider.discovery, !discoveries.isFresh(name, at: now) else {
      return nil
    }
    return (try? URLParts(name)).map { ($0, name) }
  }

  /// Fetches the metadata before the deadline. A fetch that takes longer continues in the background and serves the next caller.
  private func discover(_ url: URLParts, _ name: String, _ deadline: Clock.Deadline) async throws {
    guard let discoveries = dependencies.servers.discoveries else { return }
    let found: Void? = try await dependencies.clock.withTimeout(max(1, deadline.left)) { [dependencies] in
      try await discoveries.discover(url, named: name, http: dependencies.http, clock: dependencies.clock)
    }
    guard found != nil else {
      throw OAuthFailure(.timedOut, "the metadata of \(url.shown) did not arrive within \(deadline.seconds) s", isRetryable: true)
    }
  }
}

extension Accounts.RequestContext {
  /// Rejects parameters of the request, or of the configuration, that the plan's request would not carry.
  func checkParameters(of plan: AuthorizationPlan) throws {
    try plan.checkDescription()
    if let own = input.options.parameters { return try plan.check(parameters: own) }
    guard let configured, let parameters = configured.parameters else { return }
    do throws(FieldError) {
      try plan.check(parameters: parameters, isConfigured: true)
    } catch {
      throw error.blaming(configuration: configured)
    }
  }

  /// Blames the params or the configuration for a failure of a sign-in that is about the redirect URI or the configured provider.
  func blaming(_ failure: OAuthFailure) -> any Error {
    let isRedirect = failure.kind == .configurationInvalid && failure["path"] == "/redirectUri"
    if isRedirect, input.redirectUri != nil { return AuthorizationInput.Fault(failure: failure) }
    let isProvider = input.purpose == .signIn && input.provider == nil && configured?.provider != nil
    return isRedirect || isProvider ? configured.map(failure.blaming) ?? failure : failure
  }
}
