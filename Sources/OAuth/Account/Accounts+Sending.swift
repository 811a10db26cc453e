import Crypto
import HTTP
import OAuthCore
import Plans
import Platform
import Store

/// Requests that their caller handles itself, such as those of an MCP server, whose streams last.
extension Accounts {
  /// Sends one request, with the account's token if a grant is given. Follows no redirect.
  package func send(_ request: HTTPRequest, of account: String, with grant: Grant?) async throws -> HTTPResponse {
    guard let stored = grant else { return try await dependencies.http.send(request) }
    let grant = try await tokens(of: account).withCertificate(stored)
    let resolved = try grant.resolved
    let (provider, url, hosts) = (resolved.provider, try URLParts(request.url), resolved.hosts)
    guard hosts.allows(url) else {
      throw OAuthFailure.notAllowed(url, "it is not one of the provider's hosts", hosts).with(\.advice, .apiHosts).of(grant.account)
    }
    var request = request
    request.addHeaders(of: provider)
    let credential = RequestCredential(grant: grant, resolved: resolved, dependencies: dependencies)
    return try await credential.send(request) { sent in
      try await dependencies.recorded(sent, of: account, login: grant.account, as: "mcp", hiding: grant.redaction(provider)) {
        try await dependencies.http.send($0)
      }
    }
  }

  /// Returns the name of the account of a server: its host, its path, and a hash of its query, which may contain a key.
  package static func account(of url: URLParts) -> String {
    let short = ProviderCatalog.account(named: url)
    guard let query = url.query, !query.isEmpty else { return short }
    return short + "?" + Hexadecimal.encode(Array(SHA256.hash(data: Array(query.utf8)))).prefix(8)
  }

  /// Whether the grant is of the client that the words of the command name. Another client needs a sign-in of its own.
  package func isOfGivenClient(_ grant: Grant) -> Bool {
    lives.entry.flatMap { $0.place?.account == grant.account ? $0.clientId : nil } ?? grant.client.id == grant.client.id
  }

  /// The folder of what the server has said to the account, for a start without it; nil stores nothing.
  package func cache(of account: String) -> String? {
    dependencies.cache.map { "\($0)/\(Hexadecimal.encode(Array(SHA256.hash(data: Array(account.utf8)))))" }
  }

  func clearCache(of account: String) {
    // Root must empty no folder to which a link of another user leads.
    guard let path = cache(of: account), let place = try? FilePlace(path + "/name", makes: true), (try? place.checkTrust(path)) != nil,
      let names = try? PosixFile.names(in: ".", of: place.folder)
    else { return }
    for name in names { unlinkat(place.folder, name, 0) }
  }

  /// Returns what asks for a sign-in at the server of a URL. An account with a provider of its own, from the configuration or its grant, keeps that.
  package func signInInput(_ account: String, at url: URLParts) -> AuthorizationInput {
    var input = AuthorizationInput(account: account)
    (input.outlives, input.waits, input.isUserRequest) = (true, false, true)
    let stored = try? find(account)?.grant.resolvedProvider
    if stored == nil || stored?.discovery == url.description { input.usualProvider = .url(url.description) }
    return input
  }
}

extension Grant {
  /// Hides the token in what a server says.
  fileprivate func redaction(_ provider: Provider) -> Redaction {
    Redaction([accessToken, tokenSecret].compactMap(\.self), provider: provider)
  }
}

/// One sign-in for all processes of the user.
extension Accounts {
  /// Whether a browser can be started here.
  package var hasBrowser: Bool { dependencies.hasBrowser(by: nil) }

  /// Makes what the processes share. A new user has no folder yet.
  package func prepareSignIn() async {
    try? await withinTimeout(nil, Self.defaultTimeoutSeconds, undone: unready) { try await self.store.makeReady() }
  }

  /// Whether a process has left an open sign-in for another to go on with. A sign-in that is denied or times out leaves none.
  package func hasLeftSignIn(_ account: String) async -> Bool { await self[account].signInRecord.left(at: now) != nil }
}
