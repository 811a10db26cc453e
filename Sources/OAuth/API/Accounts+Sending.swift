import HTTP
import OAuthCore
import Store

/// Requests that their caller handles itself, such as those of an MCP server, whose streams last.
extension Accounts {
  /// Sends one request, with the account's token if a grant is given. Follows no redirect.
  package func send(_ request: HTTPRequest, with grant: Grant?) async throws -> HTTPResponse {
    guard let grant else { return try await dependencies.http.send(request) }
    let provider = try grant.resolvedProvider
    let (url, hosts) = (try URLParts(request.url), AllowedHosts(provider))
    guard hosts.allows(url) else { throw APICall.notAllowed(url, "it is not one of the provider's hosts", hosts).of(grant.account) }
    var request = request
    request.addHeaders(of: provider)
    let credential = RequestCredential(grant: grant, provider: provider, dependencies: dependencies)
    let hidden = Redaction([grant.accessToken].compactMap(\.self), provider: provider)
    return try await dependencies.recorded(credential.apply(to: request), of: grant.account, as: "mcp", hiding: hidden) {
      try await dependencies.http.send($0)
    }
  }
}
