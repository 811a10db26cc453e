import Jansson
import OAuth
import OAuthCore
import Plans
import Store

/// The accounts whose token is the password of another program at a host.
package struct HostAccounts: Sendable {
  let accounts: Accounts
  let use: Use

  package init(_ accounts: Accounts, for use: Use) { (self.accounts, self.use) = (accounts, use) }

  /// A program that sends the access token itself.
  package enum Use: String, DescribedEnum {
    package static let schemaName: String? = "HostUse"

    case git, registry, api

    /// The member of a provider's description with the hosts.
    package var member: String { rawValue + "Hosts" }

    func hosts(_ provider: Provider) -> AllowedHosts {
      switch self {
      case .git: AllowedHosts(patterns: provider.api.gitHosts)
      case .registry: AllowedHosts(patterns: provider.api.registryHosts)
      case .api: AllowedHosts(provider)
      }
    }

    func userName(_ options: APIOptions) -> String { self == .registry ? options.registryUserName : options.gitUserName }

    /// Returns the presets that name the URL's host for this use.
    package func presets(serving url: URLParts, in catalog: ProviderCatalog) -> [String] {
      catalog.names.filter { name in
        guard let provider = try? catalog.resolve(.preset(name)) else { return false }
        return hosts(provider).allows(url)
      }
    }

    /// Returns the presets that serve any host for this use, because a variable names it, each with the variable.
    package func presetsForAnyHost(in catalog: ProviderCatalog) -> [(preset: String, variable: String)] {
      catalog.names.compactMap { name in
        let description = JSON.object((try? catalog.description(of: name)) ?? [])
        // Without a page, no user can sign in.
        let variables = description["authorizationEndpoint"] == nil ? [] : description["variables"]?.members ?? []
        // A value that follows from another variable is none to give.
        return variables.first { description[member]?.array?.contains(.string("{\($0.name)}")) == true }.map { (name, $0.name) }
      }
    }
  }

  /// An account that another program can use at a host, and the user name that the host expects with the token.
  package typealias Found = (account: String, userName: String)

  /// An account whose provider names hosts for a use.
  private struct Candidate {
    let account: String
    let provider: Provider
    /// nil before the first sign-in.
    let grant: Grant?
    /// Whether it is an entry for another token of a login. Only its name or that token chooses it.
    var isDerived = false

    /// Whether the name is one by which the provider knows the account's user.
    func hasUser(_ name: String) -> Bool {
      guard let grant else { return false }
      let names = [grant.email, grant.subject].compactMap(\.self) + grant.attributes.pairs.map(\.value)
      return names.contains { $0.lowercased() == name.lowercased() }
    }
  }

  /// Returns the account whose provider names the URL's host for this use; nil if there is none.
  ///
  /// Several accounts may use one host. The one that has the `rejected` token comes first, then the one that `user` names, then `wanted`, which the
  /// configuration chooses. Without these, a warning names the accounts, and the first is used: those that have signed in precede those of
  /// `configured`. Throws if `user` names none of several accounts, or one that cannot be used: another account's token would be another user's.
  package func account(
    at url: URLParts, user: String?, rejected: Secret? = nil, configured names: [String], wanted: String? = nil
  ) async throws -> Found? {
    guard url.hasSafeScheme else {
      throw OAuthFailure(
        .hostNotAllowed, "the token must not be sent to \(url.hostAndPort): only https is, or http on this machine",
        details: [.init("host", .string(url.hostAndPort))])
    }
    var found: [Candidate] = []
    let (candidates, unusable) = try await candidates(names)
    for candidate in candidates where !found.contains(where: { $0.account == candidate.account }) {
      if use.hosts(candidate.provider).allows(url) { found.append(candidate) }
    }
    func chosen(_ candidate: Candidate?) -> Found? {
      candidate.map { ($0.account, use.userName($0.provider.api)) }
    }
    // A name that the host wants beside the token is no account's.
    let known = (candidates.map(\.account) + unusable.map(\.account)).map(AccountKey.init)
    let named = user.flatMap { known.contains(AccountKey($0)) ? $0 : nil }
    // The name of an account that is for other servers is a mistake.
    if use == .api, let named, !found.contains(where: { AccountKey($0.account) == AccountKey(named) }) { return nil }
    let isUser = user.map { user in found.contains { !$0.isDerived && $0.hasUser(user) } } ?? false
    if let name = named ?? (isUser ? nil : wanted), accounts.isDerived(name) {
      guard let entry = found.first(where: { AccountKey($0.account) == AccountKey(name) }) else {
        throw unusable.first { AccountKey($0.account) == AccountKey(name) }?.fault
          ?? OAuthFailure(
            .configurationInvalid, "the account \(name.plain) does not serve \(url.hostAndPort)", details: [.init("path", "/host")])
      }
      return chosen(entry)
    }
    found.removeAll { $0.isDerived && (rejected == nil || $0.grant?.accessToken != rejected) }
    if let user, let (_, fault) = unusable.first(where: { AccountKey($0.account) == AccountKey(user) }),
      !found.contains(where: { AccountKey($0.account) == AccountKey(user) })
    {
      throw fault
    }
    if let rejected, let holder = found.first(where: { $0.grant?.accessToken == rejected }) { return chosen(holder) }
    guard found.count > 1 else { return chosen(found.first) }
    let serving = found.map(\.account)
    if let user {
      if let named = found.first(where: { AccountKey($0.account) == AccountKey(user) }) ?? found.first(where: { $0.hasUser(user) }) {
        return chosen(named)
      }
      // The name that the host wants beside the token chooses no account.
      guard found.contains(where: { use.userName($0.provider.api) == user }) else {
        // The name is not repeated, because some users put a token there.
        throw OAuthFailure(
          .configurationInvalid,
          "the user name is that of none of the accounts that serve \(url.hostAndPort): \(serving.joined(separator: ", "))",
          details: [.init("path", "/username"), .init("known", .array(serving.map { .string($0) }))])
      }
    }
    if let wanted, let found = found.first(where: { $0.account == wanted }) { return chosen(found) }
    let names = serving.joined(separator: ", ")
    accounts.dependencies.log(
      .init(.warning, "\(names) serve \(url.hostAndPort), and \(serving[0]) is used: name one in hosts of the configuration"))
    return chosen(found[0])
  }

  /// Returns the accounts that the client may use: first those that have signed in, then those of `configured`, which may be the same.
  /// Accounts with a faulty grant or entry, and those that a limit excludes, are `unusable`.
  private func candidates(_ configured: [String]) async throws -> (found: [Candidate], unusable: [(account: String, fault: any Error)]) {
    var found: [Candidate] = []
    var unusable: [(account: String, fault: any Error)] = []
    func add(_ account: String, _ candidate: () throws -> Candidate?) {
      do {
        try accounts.dependencies.limits.check(account: account)
        if let candidate = try candidate() { found.append(candidate) }
      } catch {
        unusable.append((account, error))
      }
    }
    for listed in try await accounts.list() where !accounts.isDerived(listed.account) {
      add(listed.account) {
        let grant = try accounts.grant(listed.account)
        return Candidate(account: listed.account, provider: try grant.resolvedProvider, grant: grant)
      }
    }
    for name in configured {
      add(name) {
        if accounts.isDerived(name) {
          let grant = try accounts.tokens(of: name).held()
          return Candidate(account: name, provider: try grant.resolvedProvider, grant: grant, isDerived: true)
        }
        guard let entry = try accounts.configured(name), let reference = entry.provider else { return nil }
        let planner = Planner(input: AuthorizationInput(), configured: nil, stored: nil, catalog: accounts.dependencies.catalog)
        return Candidate(account: name, provider: try planner.requested(reference, entry.variables ?? .init()), grant: nil)
      }
    }
    return (found, unusable)
  }

  /// Returns the hosts that the accounts' providers name for this use, each with the user name that it wants. Patterns such as `*.example.com` are
  /// left out, because they name no host.
  package func hosts(configured names: [String]) async throws -> [(host: String, userName: String)] {
    var found: [(host: String, userName: String)] = []
    for candidate in try await candidates(names).found {
      for host in use.hosts(candidate.provider).names where !host.hasPrefix("*.") && !found.contains(where: { $0.host == host }) {
        found.append((host, use.userName(candidate.provider.api)))
      }
    }
    return found
  }
}
