import OAuthCore

extension Accounts {
  /// An account that Git can use at a host.
  package struct GitAccount: Sendable {
    package let account: String
    /// The user name that the host wants beside the token.
    package let userName: String
  }

  /// Returns the account whose provider's `gitHosts` name the URL's host; nil if there is none.
  ///
  /// Several accounts may use one host. The one that `user` names comes first, then those that have signed in, then those of `configured`.
  package func gitAccount(at url: URLParts, user: String?, configured names: [String]) async throws -> GitAccount? {
    guard url.hasSafeScheme else {
      throw OAuthFailure(
        .hostNotAllowed, "the token must not be sent to \(url.hostAndPort): only https is, or http on this machine",
        details: [.init("host", .string(url.hostAndPort))])
    }
    var found: [GitAccount] = []
    func add(_ account: String, _ provider: Provider) {
      guard AllowedHosts(patterns: provider.api.gitHosts).allows(url), !found.contains(where: { $0.account == account }) else { return }
      found.append(GitAccount(account: account, userName: provider.api.gitUserName))
    }
    // Another account's faulty grant or entry is no reason to refuse this one.
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
