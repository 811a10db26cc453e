import Jansson
import OAuthCore
import Signatures

extension APICall {
  /// Returns the request with its credential, for a client that sends it itself. `explains` adds how the signature was made.
  package func authorized(body: String?, explains: Bool = false) async throws -> (request: HTTPRequest, explanation: OAuth1Explanation?) {
    try request.check()
    try checkLimits()
    try await checkLimitsBeforeRefresh()
    let live = try await accounts.usableGrant(request.account, in: request.timeout, requestID: request.requestID).grant
    let grant = await accounts.completed(live, requestID: request.requestID)
    let provider = try grant.resolvedProvider
    let url = try allowedTarget(provider, AllowedHosts(provider))
    try checkLimits(request.method, url)
    var outgoing = HTTPRequest(
      method: request.method, url: url.description, headers: request.headers.pairs.map { HTTPHeader($0.name, $0.value) })
    outgoing.addHeaders(of: provider)
    if let body { outgoing.body = .bytes(Array(body.utf8)) }
    let credential = RequestCredential(grant: grant, provider: provider, dependencies: accounts.dependencies)
    guard !explains || credential.signs else {
      throw FieldError("/explain", "cannot be used: this account's requests are not signed")
    }
    do throws(OAuthFailure) {
      guard explains else { return (try credential.apply(to: outgoing), nil) }
      let signature = try credential.signature(for: outgoing)
      return (try signature.signed(), try signature.explanation())
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
