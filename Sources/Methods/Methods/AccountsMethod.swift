import JSONRPC
import Jansson
import OAuthCore
import Platform
import Store

/// Returns the states of all accounts that have a grant or are configured.
struct AccountsMethod: Method {
  static let name = "accounts"
  static let errors = Errors.stored

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) async throws -> Result {
    let now = service.accounts.now
    await service.accounts.prepareStore()
    let configuration = service.configuration
    // The command `status` says itself that the file cannot be read.
    let skips = service.command == "status"
    let named = try await Blocking.run { () throws(OAuthFailure) in skips ? (try? configuration.names()) ?? [] : try configuration.names() }
    var configured = [AccountKey: (name: String, isForClient: Bool)](minimumCapacity: named.count)
    var faults: [String: String] = [:]
    for (name, entry) in named where service.limits.allows(account: name) {
      configured[AccountKey(name)] = (name, (try? entry.get()) ?? false)
      // A faulty entry is reported and still listed.
      guard case .failure(let failure) = entry else { continue }
      faults[name] = failure.message
      service.notifier.notify(ErrorOccured(failure, account: name, request: call.id?.json))
    }
    // A sign-in may end before the grants are read. In this order, the answer has its page or its grant.
    let signIns = service.accounts.openSignIns
    let grants = try await service.accounts.list()
    let derived = configuration.derivedAccounts
    let key = service.accounts.keySource?.name
    func state(_ name: String, _ found: ListedAccount?, _ isForClient: Bool?, problem: String?) -> AccountState {
      AccountState(
        account: name, stored: found?.stored, usedAt: found?.usedAt, problem: problem ?? faults[name], key: found == nil ? nil : key,
        configured: isForClient, signIn: signIns[AccountKey(name)], derived: derived[name], now: now)
    }
    var states: [AccountState] = []
    states.reserveCapacity(max(grants.count, configured.count))
    for found in grants where service.limits.allows(account: found.account) && derived[found.account] == nil {
      // An unreadable grant is reported and does not hide the others.
      if let problem = found.problem { service.notifier.notify(ErrorOccured(problem, account: found.account, request: call.id?.json)) }
      let entry = configured.removeValue(forKey: AccountKey(found.account))
      states.append(state(found.account, found, entry?.isForClient, problem: found.problem?.message))
    }
    // What is left has no grant of its own.
    if !configured.isEmpty {
      lazy var logins = Dictionary(grants.map { (AccountKey($0.account), $0) }) { first, _ in first }
      states += configured.values.map { name, isForClient in
        state(name, derived[name].flatMap { logins[AccountKey($0.login)] }, isForClient, problem: nil)
      }
      // The listing is sorted already.
      states.sort { $0.account < $1.account }
    }
    return Result(accounts: states)
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(accounts: []) }

    var accounts: [AccountState]

    func list(_ members: inout ObjectWriter) { members.add("accounts", accounts, "The states, sorted by name.") }
  }
}
