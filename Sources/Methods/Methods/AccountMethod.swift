import JSONRPC
import Jansson
import OAuth
import Store

/// Returns the state of one account, without secrets and without the network.
struct AccountMethod: Method {
  static let name = "account"
  static let errors = Errors.stored

  private let account: String

  init(_ fields: inout ObjectReader) throws(FieldError) { account = try fields.account() }

  /// An editor asks for this whenever it draws its status line. A task would cost more than the answer itself.
  func resultAtOnce(_ call: Call, _ service: Service) throws -> AccountState? {
    try service.limits.check(account: account)
    let signIn = service.accounts.openSignIn(account)
    return try service.accounts.readAtOnce(login(service)).map { try state(service, $0, signIn) }
  }

  func run(_ call: Call, _ service: Service) async throws -> AccountState {
    await service.accounts.prepareStore(login(service))
    let signIn = service.accounts.openSignIn(account)
    return try state(service, try service.accounts.find(login(service)), signIn)
  }

  private func login(_ service: Service) -> String { service.accounts.login(of: account) }

  /// `signIn` was read before the grant. A sign-in may end between the two: in this order, the answer has its page or its grant.
  private func state(_ service: Service, _ stored: StoredGrant?, _ signIn: SignInPrompt?) throws -> AccountState {
    AccountState(
      account: account, stored: stored, usedAt: stored == nil ? nil : service.accounts.lastUse(of: login(service)),
      key: stored?.keySource?.name, configured: try service.configuration.isForClient(account),
      signIn: signIn, derived: service.configuration.derived(account), now: service.accounts.now)
  }
}
