import Jansson
import OAuthCore

extension APICall {
  /// Returns the request with its credential, for a client that sends it itself.
  package func authorized(body: String?) async throws -> HTTPRequest {
    try request.check()
    try checkLimits()
    let deadline = accounts.clock.deadline(in: request.timeout)
    var live = try await account.grant(in: request.timeout, requestID: request.requestID).grant
    if live.tokenSecret != nil { live = try await withinTimeout(deadline) { [accounts, live] in try await accounts.withSecret(live) } }
    let grant = await account.completed(live, requestID: request.requestID)
    let provider = try grant.resolvedProvider
    let url = try allowedTarget(provider, AllowedHosts(provider))
    try checkLimits(request.method, url)
    var outgoing = HTTPRequest(
      method: request.method, url: url.description, headers: request.headers.pairs.map { HTTPHeader($0.name, $0.value) })
    outgoing.addHeaders(of: provider)
    if let body { outgoing.body = .bytes(Array(body.utf8)) }
    let credential = RequestCredential(grant: grant, provider: provider, dependencies: accounts.dependencies)
    do throws(OAuthFailure) {
      return try credential.apply(to: outgoing)
    } catch {
      throw Self.paramsFault(error) ?? error.of(request.account)
    }
  }

  /// Returns the failure as an error of the params if those cannot be signed: an `oauth_…` in the query, or a form in a file.
  static func paramsFault(_ failure: OAuthFailure) -> FieldError? {
    guard failure.kind == .configurationInvalid, case .string(let path)? = failure["path"] else { return nil }
    return ["/url", "/body"].contains(path) ? FieldError(path, "cannot be signed: \(failure.message)") : nil
  }
}
