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

  /// A redirect's URL without what the credential put into the request: a redirect often repeats the query, or even the form, that it came with.
  ///
  /// A signature is good for one request, and a second one beside it could not be signed (RFC 5849, 3.1 and 3.2); PLAINTEXT's are the secrets
  /// themselves, which may come back under any name.
  func removed(from url: URLParts) -> URLParts {
    guard signs || provider.api.apiCredential.query != nil else { return url }
    // Those in a redirect from who never got them there are the next service's own.
    let hasParameters = signs && provider.oauth1.signaturePlacement != .header
    let secrets = [grant.accessToken, signs ? plaintextSignature : nil].compactMap { $0?.value }
    return url.removingQuery { name, value in (hasParameters && OAuth1Parameter(name, value).isCredential) || secrets.contains(value) }
  }

  /// `code` is the service's own, where the provider's description says where it stands.
  func refusal(_ response: HTTPResponse, _ code: String?) -> Refusal? {
    if signs { return signatureRefusal(response, code) }
    guard provider.api.expired.says(response.status, code) else { return nil }
    // With nothing to replace it, a token that the service calls dead would be taken for a good one for ever.
    return .token(isCertain: !grant.isRenewable && response.saysInvalidToken)
  }
}

extension HTTPResponse {
  /// Whether the service says that the token itself is at fault, and not what was asked for with it (RFC 6750, 3.1).
  fileprivate var saysInvalidToken: Bool {
    headers.contains { header in
      guard header.isNamed("www-authenticate") else { return false }
      let challenge = header.value.lowercased().filter { $0 != "\"" && $0 != " " }
      return challenge.contains("error=invalid_token")
    }
  }
}
