import OAuth
import OAuthCore
import Plans
import Platform

extension APIRequest {
  /// What the request of another program has in place of the members of a JSON-RPC call. Its `url` is the path and the query, which are appended and
  /// not resolved: no server and no parser may read them differently.
  package struct Passing: Sendable {
    package var relay: HTTPRequest.Relay
    package var signal: ExchangeSignal
    package var body: HTTPRequest.Supply?
    /// One of the account's hosts, with its port if it has one; nil for `apiBase`.
    package var host: String?
    /// Whether the program believes that it sends a password.
    package var sendsPassword = false

    /// Called before each sending with the URL, the provider's `apiBase`, and all hosts that may get the token.
    package var willSend: @Sendable (URLParts, String?, [AllowedHosts]) -> Void = { _, _, _ in }

    package init(relay: HTTPRequest.Relay, signal: ExchangeSignal) { (self.relay, self.signal) = (relay, signal) }

    /// How the token goes to a host that takes it as a password.
    typealias Password = (hosts: AllowedHosts, userName: String)

    func url(_ path: String, _ api: APIOptions) throws -> URLParts {
      guard let host else {
        guard let base = api.apiBase else {
          throw OAuthFailure.misconfigured(
            "/provider/apiBase", "the provider has no apiBase: write /ACCOUNT/@HOST/PATH, with one of the account's hosts")
        }
        return try URLParts((base.hasSuffix("/") ? String(base.dropLast()) : base) + path)
      }
      // The entry of a host on this machine does not say whether it is http.
      let base = api.apiBase.flatMap { try? URLParts($0) }
      let isPlain = base?.scheme == "http" && URLParts(scheme: "http", host: host)?.hasSafeScheme == true
      guard let url = URLParts(scheme: isPlain ? "http" : "https", host: host) else {
        throw OAuthFailure(.hostNotAllowed, "the host behind @ is not a host")
      }
      return try URLParts(url.origin + path)
    }

    /// Returns nil if the token goes to the URL as the API takes it. A host may take it both ways, such as gitlab.com; then the program decides.
    func password(at url: URLParts, _ provider: Provider, _ own: AllowedHosts) -> Password? {
      guard host != nil, sendsPassword || !own.allows(url) else { return nil }
      let use = [HostAccounts.Use.git, .registry].first { $0.hosts(provider).allows(url) }
      return use.map { ($0.hosts(provider), $0.userName(provider.api)) }
    }
  }
}

extension APICall {
  /// The request must be sent again, with a token or a proof that the process has now, but its body is no longer held.
  package struct BodyIsGone: Error {}

  /// Passes a program's request on. Returns the response; if it is withheld, the relay has not begun, and the caller passes it on.
  package func pass() async throws -> HTTPResponse {
    let state = try await perform()
    return try await naming {
      let response = try received(state)
      // A response that was passed on is whole, whatever is noted of the login.
      if response.isWithheld { _ = try await conclude(response, state) } else { _ = try? await conclude(response, state) }
      return response
    }
  }
}

extension APICall.Ready {
  /// The methods that libcurl may repeat on a new connection (RFC 9110, 9.2.2). The others are sent once, on a connection that was just in use.
  private static let repeatable: Set = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]

  /// Returns the request that passes both bodies on as they are.
  func passing(_ request: HTTPRequest, _ passing: APIRequest.Passing) -> Self {
    var (ready, request) = (self, request)
    (request.sink, request.signal, request.body) = (.relay(passing.relay), passing.signal, passing.body.map { .supplied($0) } ?? .none)
    (request.dropsRedirectBodies, request.mayWait) = (false, false)
    if !Self.repeatable.contains(request.method) { request.connectionAge = APICall.shortIdleTime }
    if resolved.provider.api.hasErrorsInSuccesses { request.peekLimit = 64 << 10 }
    ready.request = request
    passing.willSend(url, resolved.provider.api.apiBase, [hosts] + HostAccounts.Use.allCases.map { $0.hosts(resolved.provider) })
    return ready
  }
}
