import Jansson
import OAuthCore
import Plans
import Platform
import Store

/// The request's plan, and the metadata that it needs.
extension AccountRequest {
  /// Plans the request. Fetches what the plan needs of a provider.
  package func plan() async throws -> AuthorizationPlan {
    try await discovering { request, unreachable in
      let planner = Planner(
        input: request.input, configured: request.configured, stored: request.stored, catalog: dependencies.catalog,
        unreachable: unreachable)
      let plan = try planner.plan()
      return (plan, plan.provider)
    }
  }

  /// Plans the request. Fetches the metadata again if they have moved the account to another authorization server: the API may name the grant's own
  /// by now.
  mutating func confirmedPlan() async throws -> AuthorizationPlan {
    let plan = try await plan()
    guard plan.issuerChange != nil, let name = plan.provider.discovery, let url = try? URLParts(name) else { return plan }
    try await discover(url, name)
    try await reread()
    return try await self.plan()
  }

  /// Returns the plan for the client's own token, as the configuration describes it.
  func clientPlan(of account: String) async throws -> AuthorizationPlan {
    do {
      let (plan, _) = try await rediscovered(try await plan(), stored)
      try plan.checkPlaces()
      return try forSignIn(plan, replacing: nil)
    } catch let failure as OAuthFailure {
      throw blaming(failure.of(account))
    } catch let fault as FieldError {
      throw configured.map(fault.blaming) ?? fault
    }
  }

  /// Returns the plan of the sign-in in place of the latest grant. Rejects parameters that its page would not carry.
  func forSignIn(_ plan: AuthorizationPlan, replacing latest: Grant?) throws -> AuthorizationPlan {
    let hasBrowser = dependencies.hasBrowser(by: plan.request.browser)
    let plan = try plan.forSignIn(replacing: latest, at: accounts.now, hasBrowser: hasBrowser)
    try checkParameters(of: plan)
    return plan
  }

  /// Returns the requests that a sign-in would send. Sends, stores and reports nothing.
  func dryRun() async throws -> (account: String, dryRun: DryRun) {
    let plan = try await plan()
    do {
      var dryRun = try await accounts.signIns.dryRun(forSignIn(plan, replacing: plan.stored))
      if let first = try await accounts.credentials.firstStep(plan) { dryRun.steps.insert(first, at: 0) }
      return (plan.account, dryRun)
    } catch let failure as OAuthFailure {
      throw blaming(failure.of(plan.account))
    }
  }

  /// Fetches outdated metadata again before the user has to sign in. Returns the plan with the new metadata, and the grant that it replaces.
  package func rediscovered(_ plan: AuthorizationPlan, _ latest: Grant?) async throws -> (AuthorizationPlan, Grant?) {
    guard let (url, name) = outdated(plan.provider) else { return (plan, latest) }
    try await discover(url, name)
    var request = self
    try await request.reread()
    request.stored = request.stored?.described(by: dependencies.catalog)
    return (try await request.plan(), request.stored)
  }

  /// Repeats `work` until it has all documents that it needs, and the provider's own is fresh.
  ///
  /// A document in the account's grant is enough, so that a grant can be used and refreshed without the network.
  /// Each fetch takes time in which another process may sign in or out, so the grant is read again after it.
  private func discovering<Value>(
    _ work: (_ request: AccountRequest, _ unreachable: Set<String>) throws -> (Value, Provider)
  ) async throws -> Value {
    var request = self
    var unreachable: Set<String> = []
    var fetched: Set<String> = []
    while true {
      do {
        let (value, provider) = try work(request, unreachable)
        guard request.stored != nil || mayAsk, let (url, name) = outdated(provider), fetched.insert(name).inserted,
          request.stored?.publication?.url != name
        else { return value }
        try await discover(url, name)
      } catch let missing as Planner.MissingPublication {
        do {
          try request.checkFetching(missing)
          fetched.insert(missing.name)
          try await discover(missing.url, missing.name)
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
      try await request.reread()
    }
  }

  /// Throws if the user would have to sign in after the fetch, and must not be asked.
  private func checkFetching(_ missing: Planner.MissingPublication) throws(OAuthFailure) {
    guard let account else { return }
    if missing.purpose != .secret, stored == nil, !mayAsk { throw .signInRequired(.noGrant, account: account) }
    // The account's grant is not of the provider that the caller describes.
    if missing.purpose == .request, input.describesProvider { try dependencies.limits.checkSignIn(account) }
  }

  /// Returns the URL of the provider's metadata if this process has to fetch it again.
  private func outdated(_ provider: Provider) -> (url: URLParts, name: String)? {
    guard let discoveries = dependencies.servers.discoveries, let name = provider.discovery,
      !discoveries.isFresh(name, at: accounts.now)
    else { return nil }
    return (try? URLParts(name)).map { ($0, name) }
  }

  /// Fetches the metadata before the deadline. A fetch that takes longer continues in the background and serves the next caller.
  private func discover(_ url: URLParts, _ name: String) async throws {
    guard let discoveries = dependencies.servers.discoveries else { return }
    let found: Void? = try await dependencies.clock.withTimeout(max(1, deadline.left)) { [dependencies] in
      try await discoveries.discover(url, named: name, http: dependencies.http, clock: dependencies.clock)
    }
    guard found != nil else {
      throw OAuthFailure(.timedOut, "the metadata of \(url.shown) did not arrive within \(deadline.seconds) s", isRetryable: true)
    }
  }

  /// Rejects parameters of the request, or of the configuration, that the plan's request would not carry.
  private func checkParameters(of plan: AuthorizationPlan) throws {
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
    let request = AccountRequest(
      accounts: self, input: input, account: nil, configured: nil, stored: stored, deadline: clock.deadline(in: seconds))
    return try await request.provider(reference, variables)
  }
}

extension AccountRequest {
  fileprivate func provider(_ reference: ProviderReference, _ variables: NamedValues<String>) async throws -> Provider {
    try await discovering { request, _ in
      let planner = Planner(input: input, configured: nil, stored: request.stored, catalog: dependencies.catalog)
      let provider = try planner.requested(reference, variables)
      return (provider, provider)
    }
  }
}
