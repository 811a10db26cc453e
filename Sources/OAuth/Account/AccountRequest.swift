import OAuthCore
import Plans
import Platform
import Store

/// What one request is about: what the caller, the configuration and the store say of the account, and the time that there is for it.
///
/// It is made once and goes through planning, refreshing and signing in. `change` reads the grant once more under the account's lock.
package struct AccountRequest: Sendable {
  let accounts: Accounts
  package let input: AuthorizationInput
  let account: String?
  package internal(set) var configured: ConfiguredAccount?
  package internal(set) var stored: Grant?
  let deadline: Clock.Deadline

  var dependencies: Dependencies { accounts.dependencies }

  /// Whether the user may be asked, or the client asks for itself. Without that, nothing is fetched for an account without a grant.
  var mayAsk: Bool { input.interaction != .never || (input.options.flow ?? configured?.flow)?.isForClient == true }

  /// Reads the account's grant again, which takes what other processes have stored since.
  mutating func reread() async throws {
    if let account { stored = try await accounts[account].currentAfterSaving() }
  }

  /// Reads the credentials of the account's entry. Then reads the grant again if a command or the keyring was asked, which may take a minute.
  fileprivate mutating func loadCredentials(of account: String) async throws {
    var hasAsked = false
    do {
      try await configured?.load(for: input, stored) { [accounts, deadline] source, member in
        let undone = "the configured \(member) could not be read"
        hasAsked = hasAsked || source.asked != nil
        return try await accounts.withinTimeout(account, deadline.left, of: deadline.seconds, undone: undone) {
          guard let asked = source.asked else { return try await accounts.secret(source, account, member) }
          return try await accounts.dependencies.secrets.secret(of: account, member, from: asked) {
            try await accounts.secret(source, account, member)
          }
        }
      }
    } catch {
      dependencies.secrets.forget(account)
      throw error
    }
    if hasAsked { try await reread() }
  }
}

extension Accounts {
  /// Makes the request and does its work. Names the account in a failure if the caller did; a fault of the configuration names its place instead.
  /// `stored` is the account's grant if the caller has just read it.
  package func withRequest<Value>(
    _ input: AuthorizationInput, signsIn: Bool = false, _ stored: Grant? = nil, _ work: (AccountRequest) async throws -> Value
  ) async throws -> Value {
    do {
      return try await work(request(input, signsIn: signsIn, stored))
    } catch let failure as OAuthFailure where failure.kind != .configurationInvalid || failure["file"] == nil {
      throw input.account.map(failure.of) ?? failure
    }
  }

  private func request(_ input: AuthorizationInput, signsIn: Bool, _ stored: Grant?) async throws -> AccountRequest {
    var input = input
    if input.flow == .auto, (input.provider ?? input.usualProvider)?.takesOnlyAssertions == true { input.flow = .jwtBearer }
    let account = try AuthorizationPlan.account(of: input, dependencies.catalog)
    let limits = dependencies.limits
    if !input.isOwn { try limits.check(accountOrNone: account) }
    try limits.check(provider: input.provider ?? input.usualProvider, input.variables)
    try limits.check(secret: input.broughtSecret, account)
    let configured = try account.flatMap(self.configured)
    // The configured time is that of a user's sign-in.
    let seconds = input.options.timeout ?? (input.purpose == .importGrant ? nil : configured?.timeout) ?? SignInOptions.usualTimeout
    let deadline = clock.deadline(in: seconds)
    var request = AccountRequest(
      accounts: self, input: input, account: account, configured: configured, stored: stored, deadline: deadline)
    guard let account else { return request }
    if stored == nil {
      request.stored = try await withinTimeout(account, deadline.left, of: seconds) { try await self[account].currentAfterSaving() }
    }
    // Otherwise a secret's command would run, and the provider would be asked for its metadata, before the sign-in is rejected.
    if signsIn, request.mayAsk, request.stored == nil || input.purpose == .addScopes || input.interaction == .always {
      try limits.checkSignIn(account)
    }
    try await request.loadCredentials(of: account)
    return request
  }

  /// Returns the result of `work`, or throws `timedOut` after `seconds`. The message names the whole `time` of the request.
  ///
  /// Limits waiting for another process's lock or for a token endpoint that does not answer.
  /// A refresh continues after the timeout, because a token that the server has replaced must not be lost.
  package func withinTimeout<Value: Sendable>(
    _ account: String?, _ seconds: Int, of time: Int? = nil, undone: String = "the account's token was not replaced",
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    if let value = try await dependencies.clock.withTimeout(max(1, seconds), work) { return value }
    var failure = OAuthFailure(.timedOut, "\(undone) within \(time ?? seconds) s", isRetryable: true, account: account)
    if let account, let holder = store.lockHolder(of: account), !holder.isThisProcess {
      failure.message += ": \(holder.description) holds the account's lock"
      failure.details = holder.details
    }
    throw failure
  }
}
