/// A grant's credential as it goes into one request; made anew for every request, since a signature belongs to one alone.
struct RequestCredential: Sendable {
  /// What an answer says of the credential that its request had.
  enum Refusal: Equatable {
    /// The signature alone was at fault (its time, its nonce), so the same request signed anew may succeed.
    case signature
    /// The token is dead; `isCertain` where the service says so, and does not only refuse the request.
    case token(isCertain: Bool)
  }

  let grant: Grant
  let provider: Provider
  let surroundings: Surroundings

  /// Headers, in lower case, in which credentials go: the caller's own would fight with the account's, and none of them goes to a foreign host.
  var headerNames: Set<String> {
    var names: Set = ["authorization", "proxy-authorization"]
    if let header = provider.api.apiCredential.header { names.insert(header.lowercased()) }
    for (name, _) in provider.api.apiHeaders.pairs where SecretName.isHeader(name) { names.insert(name.lowercased()) }
    return names
  }

  /// Whether requests are signed: a token may also come with OpenID (OpenID OAuth Extension 1.0).
  var signs: Bool { provider.protocolName == .oauth1 || grant.tokenSecret != nil }

  /// The request with the credential in it, in the place of any that it had.
  func apply(to request: HTTPRequest) throws(OAuthFailure) -> HTTPRequest {
    if signs { return try signature(for: request).signed() }
    let token = try grant.usableToken()
    let place = provider.api.apiCredential
    var request = request
    request.headers.removeAll { $0.name.lowercased() == "authorization" || $0.name.lowercased() == place.header?.lowercased() }
    if let header = place.header {
      request.headers.append(HTTPHeader(header, token.value))
    } else if let query = place.query {
      guard let url = try? URLParts(request.url) else { throw .untrusted("the request's url is none") }
      request.url = url.settingQuery(query, to: token.value).description
    } else {
      request.headers.append(HTTPHeader("Authorization", "\(place.scheme ?? grant.tokenType ?? "Bearer") \(token.value)"))
    }
    return request
  }

  /// The URL without the token where requests carry it in their query: a redirect often repeats the query that it came with.
  func removed(from url: URLParts) -> URLParts {
    guard provider.api.apiCredential.query != nil, let token = grant.accessToken?.value else { return url }
    return url.removingQuery { _, value in value == token }
  }

  /// `code` is the service's own, where the provider's description says where it stands.
  func refusal(_ response: HTTPResponse, _ code: String?) -> Refusal? {
    if signs { return signatureRefusal(response, code) }
    return provider.api.expired.says(response.status, code) ? .token(isCertain: false) : nil
  }
}
