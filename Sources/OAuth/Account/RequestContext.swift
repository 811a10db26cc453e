import OAuthCore
import Platform
import Store

extension Accounts {
  /// What a request is about: what the caller, the configuration and the store say.
  struct RequestContext: Sendable {
    let input: AuthorizationInput
    let account: String?
    var configured: ConfiguredAccount?
    var stored: Grant?
    let deadline: Clock.Deadline

    /// Whether the user may be asked, or the client asks for itself. Without that, nothing is fetched for an account without a grant.
    var mayAsk: Bool { input.interaction != .never || (input.options.flow ?? configured?.flow)?.isForClient == true }
  }

  /// Reads what the request is about. Names the account in a failure if the caller did; a fault of the configuration names its place instead.
  /// `stored` is the account's grant if the caller has just read it.
  func withContext<Value>(
    of input: AuthorizationInput, signsIn: Bool = false, _ stored: Grant? = nil, _ work: (RequestContext) async throws -> Value
  ) async throws -> Value {
    do {
      return try await work(context(of: input, signsIn: signsIn, stored))
    } catch let failure as OAuthFailure where failure.kind != .configurationInvalid || failure["file"] == nil {
      throw input.account.map(failure.of) ?? failure
    }
  }

  private func context(of input: AuthorizationInput, signsIn: Bool, _ stored: Grant?) async throws -> RequestContext {
    var input = input
    if input.flow == .auto, (input.provider ?? input.usualProvider)?.takesOnlyAssertions == true { input.flow = .jwtBearer }
    let account = try AuthorizationPlan.account(of: input, dependencies.catalog)
    try dependencies.limits.check(accountOrNone: account)
    try dependencies.limits.check(provider: input.provider ?? input.usualProvider, input.variables)
    try dependencies.limits.check(secret: input.broughtSecret, account)
    let configured = try account.flatMap(self.configured)
    // The configured time is that of a user's sign-in.
    let seconds = input.options.timeout ?? (input.purpose == .importGrant ? nil : configured?.timeout) ?? SignInOptions.usualTimeout
    let deadline = dependencies.clock.deadline(in: seconds)
    var context = RequestContext(input: input, account: account, configured: configured, stored: stored, deadline: deadline)
    if let account {
      if stored == nil {
        context.stored = try await withinTimeout(account, deadline.left, of: seconds) { try await self[account].currentAfterSaving() }
      }
      // Otherwise a secret's command would run, and the provider would be asked for its metadata, before the sign-in is rejected.
      if signsIn, context.mayAsk, context.stored == nil || input.purpose == .addScopes || input.interaction == .always {
        try dependencies.limits.checkSignIn(account)
      }
      var hasAsked = false
      do {
        try await context.configured?.load(for: input, context.stored) { source, member in
          let undone = "the configured \(member) could not be read"
          hasAsked = hasAsked || source.asked != nil
          return try await withinTimeout(account, deadline.left, of: seconds, undone: undone) { [dependencies, secret] in
            guard let asked = source.asked else { return try await secret(source, account, member) }
            return try await dependencies.secrets.secret(of: account, member, from: asked) { try await secret(source, account, member) }
          }
        }
      } catch {
        dependencies.secrets.forget(account)
        throw error
      }
      // A secret's command may take a minute. Another process may have signed in or out meanwhile.
      if hasAsked { context.stored = try await self[account].currentAfterSaving() }
    }
    return context
  }
}
