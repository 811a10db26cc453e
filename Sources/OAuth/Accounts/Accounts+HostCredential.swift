import Jansson
import OAuthCore

extension Accounts {
  /// A program that sends the access token as a password.
  package enum HostUse: String, StringEnum {
    case git, registry

    package var documentation: String {
      switch self {
      case .git: "Git. The provider's `gitHosts` name its hosts."
      case .registry: "A container registry's client. The provider's `registryHosts` name its hosts."
      }
    }

    /// The member of a provider's description with the hosts.
    package var member: String { self == .git ? "gitHosts" : "registryHosts" }

    fileprivate func hosts(_ options: APIOptions) -> [String] { self == .git ? options.gitHosts : options.registryHosts }
    fileprivate func userName(_ options: APIOptions) -> String { self == .git ? options.gitUserName : options.registryUserName }
  }

  /// An account that another program can use at a host.
  package struct HostAccount: Sendable {
    package let account: String
    /// The user name that the host expects with the token.
    package let userName: String
  }

  /// Returns the account whose provider names the URL's host for this use; nil if there is none.
  ///
  /// Several accounts may use one host. The one that `user` names comes first, then those that have signed in, then those of `configured`.
  package func account(at url: URLParts, for use: HostUse, user: String?, configured names: [String]) async throws -> HostAccount? {
    guard url.hasSafeScheme else {
      throw OAuthFailure(
        .hostNotAllowed, "the token must not be sent to \(url.hostAndPort): only https is, or http on this machine",
        details: [.init("host", .string(url.hostAndPort))])
    }
    var found: [HostAccount] = []
    func add(_ account: String, _ provider: Provider) {
      guard AllowedHosts(patterns: use.hosts(provider.api)).allows(url), !found.contains(where: { $0.account == account }) else { return }
      found.append(HostAccount(account: account, userName: use.userName(provider.api)))
    }
    // Another account's faulty grant or entry is no reason to reject this one.
    for listed in try await list() where dependencies.limits.allows(account: listed.account) {
      if let provider = try? grant(listed.account).resolvedProvider { add(listed.account, provider) }
    }
    for name in names where dependencies.limits.allows(account: name) {
      guard let entry = try? configured(name), let reference = entry.provider else { continue }
      let planner = Planner(input: AuthorizationInput(), configured: nil, stored: nil, catalog: dependencies.catalog)
      if let provider = try? planner.requested(reference, entry.variables ?? .init()) { add(name, provider) }
    }
    return found.first { $0.account == user } ?? found.first
  }
}

extension Accounts.HostUse {
  /// Returns the presets that name the URL's host for this use.
  package func presets(serving url: URLParts, in catalog: ProviderCatalog) -> [String] {
    catalog.names.filter { name in
      guard let provider = try? catalog.resolve(.preset(name)) else { return false }
      return AllowedHosts(patterns: hosts(provider.api)).allows(url)
    }
  }

  /// Returns the presets that serve any host for this use, because a variable names it, each with the variable.
  package func presetsForAnyHost(in catalog: ProviderCatalog) -> [(preset: String, variable: String)] {
    catalog.names.compactMap { name in
      let hosts = (try? catalog.description(of: name))?.first { $0.name == member }?.value.array ?? []
      let variable = hosts.lazy.compactMap(\.string).first { $0.hasPrefix("{") && $0.hasSuffix("}") }
      return variable.map { (name, String($0.dropFirst().dropLast())) }
    }
  }
}
