import Jansson
import OAuthCore
import Plans
import Platform
import Store

/// All accounts: their stored grants, open sign-ins and running refreshes.
package final class Accounts: Sendable {
  /// The default timeout for a new token, in seconds: twice that of one token request.
  package static let defaultTimeoutSeconds = 60

  package let dependencies: Dependencies
  /// The state of the accounts that this process alone has.
  let lives: Lives
  /// Learns of every grant that this process stores and removes.
  let ledger: ChangeLedger
  package let signIns: SignIns
  private let entry: ConfiguredAccount.Reader
  let derived: DerivedAccount.Reader
  let secret: ConfiguredAccount.SecretReader

  package init(
    _ dependencies: Dependencies, configured: @escaping ConfiguredAccount.Reader = { _ in nil },
    derived: @escaping DerivedAccount.Reader = { _ in nil }, derivedNames: @escaping @Sendable (_ login: String) -> [String] = { _ in [] },
    secret: @escaping ConfiguredAccount.SecretReader = { _, _, _ in Secret("") }
  ) {
    self.dependencies = dependencies
    (entry, self.derived) = (configured, derived)
    self.secret = secret
    lives = Lives(dependencies.clock)
    ledger = ChangeLedger(dependencies, derivedNames)
    signIns = SignIns(dependencies, lives)
  }

  package subscript(_ name: String) -> Account { Account(name, self) }

  /// Returns the account's entry: that of a command's words, else the configuration's.
  package func configured(_ account: String) throws(OAuthFailure) -> ConfiguredAccount? {
    if let given = lives.entry, given.place?.account == account { return given }
    return try entry(account)
  }

  /// Lets the entry that a command's words make count in the place of the configuration's.
  package func configure(by entry: ConfiguredAccount) { lives.entry = entry }

  /// Lets a command ask a busy authorization server once more within this time.
  package func asksAgain(within seconds: Int) { dependencies.servers.commandDeadline.withLock { $0 = clock.deadline(in: seconds) } }

  // MARK: Requests

  /// Returns a valid stored grant, else a refreshed one, else starts a sign-in or joins the open one.
  package func authorize(_ input: AuthorizationInput) async throws -> Authorization {
    if let name = input.account, isDerived(name) {
      if input.isUserRequest || input.interaction == .always || input.options.scopes != nil { try checkLogin(name) }
      // It opens no page. A login that is missing or lacks something is told with its own name.
      let tokens = try tokens(of: name)
      let (authorization, _) = try await tokens.refresh(force: false, requestID: input.requestID)
      emit(name, input.requestID, .authorized(authorization))
      return authorization
    }
    return try await withRequest(input, signsIn: true) { try await $0.authorize() }
  }

  /// Requests the union of the granted and the new scopes, from the same provider, client and user. Returns at once if no scope is missing.
  ///
  /// Another user is `accessDenied` (Google Sign-In's mismatchWithCurrentUser): the response is authentic, but it is not the wanted consent.
  /// The existing grant stays as it is.
  package func addScopes(_ input: AuthorizationInput) async throws -> Authorization {
    guard input.account != nil else { throw FieldError.missing("/account") }
    try checkLogin(input.account)
    var input = input
    input.purpose = .addScopes
    return try await authorize(input)
  }

  /// Returns the requests that a sign-in would send. Sends, stores and reports nothing.
  package func dryRun(_ input: AuthorizationInput) async throws -> (account: String, dryRun: DryRun) {
    try checkLogin(input.account)
    return try await withRequest(input) { try await $0.dryRun() }
  }

  /// Returns the plan for the client's own token, as the configuration describes it.
  func clientPlan(_ account: String) async throws -> AuthorizationPlan {
    var input = AuthorizationInput(account: account)
    input.isOwn = true
    return try await withRequest(input) { try await $0.clientPlan(of: account) }
  }

  package var credentials: ConfiguredCredentials { ConfiguredCredentials(accounts: self) }

  // MARK: Grants

  package var store: any AccountStore { dependencies.store }
  /// Whether a request has used the store.
  package var hasUsedStore: Bool { lives.hasUsedStore }
  package var clock: Clock { dependencies.clock }
  package var now: Int { clock.now }

  /// Returns the account's stored grant; throws `signInRequired` if there is none.
  package func grant(_ account: String) throws(OAuthFailure) -> Grant {
    guard let grant = try find(account)?.grant else { throw .signInRequired(.noGrant, account: account) }
    return grant.described(by: dependencies.catalog)
  }

  /// Returns the account's grant as it was stored, without today's presets; nil if there is none.
  package func find(_ account: String) throws(OAuthFailure) -> StoredGrant? { seen(try store.find(account), account) }
  /// Returns the same, if neither a program nor another machine has to be asked for it; nil otherwise.
  package func readAtOnce(_ account: String) -> StoredGrant?? {
    lives.useStore()
    return store.readAtOnce(account).map { seen($0, account) }
  }
  private func seen(_ stored: StoredGrant?, _ account: String) -> StoredGrant? {
    ledger.baseline(account, stored?.grant)
    guard let unsaved = self[account].life.unsaved, unsaved.stillReplaces(stored?.grant) else { return stored }
    return StoredGrant(unsaved.grant, sealedWith: stored?.keySource)
  }
  /// Whether the configuration says that the account's tokens are the client's own. They need no sign-in.
  package func isForClient(_ account: String) throws(OAuthFailure) -> Bool { try configured(account)?.isForClient == true }
  package func list() async throws(OAuthFailure) -> [ListedAccount] { overlay(try await ledger.list()) }
  /// Records that a method is about to return a credential of the account. Throws if the audit file cannot be written within `seconds`.
  package func recordUse(_ account: String, by method: String, within seconds: Int) async throws {
    try await dependencies.audit?.write(CredentialUse(account, method), within: max(1, seconds))
    store.wasUsed(login(of: account))
  }

  /// Does the same if nothing has to be written first. Otherwise records nothing and returns false.
  package func recordUseAtOnce(_ account: String) -> Bool {
    guard dependencies.audit == nil else { return false }
    store.wasUsed(login(of: account))
    return true
  }
  /// When a credential of the account was last used, in Unix seconds; nil if that is unknown.
  package func lastUse(of account: String) -> Int? { store.lastUse(of: account) }
  /// Loads what a use of the account needs from elsewhere: the store's key, or the grant. To be called before a request uses the store.
  package func prepareStore(_ account: String? = nil) async {
    lives.useStore()
    await store.prepare(account)
  }
  /// The same, at most for `seconds`. What is loaded goes on without the caller and serves the next one.
  package func prepareStore(_ account: String?, within seconds: Int) async throws {
    lives.useStore()
    // A grant that can be read at once needs nothing from elsewhere.
    if let account, let stored = store.readAtOnce(account), stored != nil { return }
    try await withinTimeout(account, seconds, undone: unready) { await self.prepareStore(account) }
  }
  var unready: String { keySource?.name == "command" ? "the command that prints the store's key did not end" : "the store was not ready" }
  /// Reports changes by other processes from now on or in a moment, if the client wants that.
  package func watchIfWanted(soon: Bool = false) { if dependencies.reportsChanges() { soon ? ledger.startSoon() : ledger.start() } }
  package var keySource: KeySource? { store.keySource }
  package func moveKey(to source: KeySource) async throws -> Int {
    // Their accounts' locks would be waited for.
    await saveAll()
    return try await store.rekey(to: source)
  }
  /// Waits for what the store and the audit file still write in the background.
  package func finishStore() {
    store.finish()
    dependencies.audit?.finish()
  }

  /// Whether no sign-in is open, no refresh is running and no refreshed grant is still to be written.
  package var isIdle: Bool { lives.all.allSatisfy { $0.hasNoWork && $0.signIn == nil } }

  /// Returns when no code is being exchanged, or after `seconds`.
  package func finishSignInExchanges(within seconds: Int) async {
    _ = try? await dependencies.clock.withTimeout(seconds) { [signIns] in await signIns.finishExchanges() }
  }

  /// Returns when no token is being exchanged, or after `seconds`. Tokens that a server has just issued or replaced must reach the disk.
  /// With `isLast` no further refresh is sent.
  package func finishExchanges(within seconds: Int, isLast: Bool = false) async {
    async let signedIn: Void = finishSignInExchanges(within: seconds)
    await finishRefreshes(within: seconds, isLast: isLast)
    await signedIn
  }

  /// The page that the account's user has to open; nil if no sign-in is open.
  package func openSignIn(_ account: String) -> SignInPrompt? { self[account].openSignIn?.prompt }

  /// The pages of all accounts whose users have to open one.
  package var openSignIns: [AccountKey: SignInPrompt] {
    Dictionary(signIns.open.map { ($0.account.key, $0.prompt) }) { first, _ in first }
  }

  /// Whether the page of the sign-in waits for the user.
  package func isOpen(signIn id: String) async -> Bool { await signIns.find(id: id)?.isOpen == true }

  /// Waits for an open sign-in, or returns how a recent one ended; nil if the id is unknown.
  package func awaitSignIn(id: String, timeout: Int?) async throws -> Authorization? {
    guard let signIn = signIns.find(id: id) else { return nil }
    guard let timeout else { return try await signIn.authorization.value() }
    if let authorization = try await dependencies.clock.withTimeout(timeout, { try await signIn.authorization.value() }) {
      return authorization
    }
    throw OAuthFailure(.timedOut, "the sign-in is still open after \(timeout) s", isRetryable: true, account: signIn.plan.account)
  }

  func emit(_ account: String, _ requestID: JSON?, _ kind: AccountEvent.Kind) {
    dependencies.emit(AccountEvent(account: account, requestID: requestID, kind: kind))
  }
}
