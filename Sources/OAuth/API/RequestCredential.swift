/// A grant's credential as it goes into one request; made anew for every request, since a signature belongs to one alone.
struct RequestCredential: Sendable {
  let grant: Grant
  let provider: Provider
  let surroundings: Surroundings

  /// Headers, in lower case, in which credentials go: the caller's own would fight with the account's, and none of them goes to a foreign host.
  var headerNames: Set<String> {
    var names: Set = ["authorization", "proxy-authorization"]
    if let header = provider.api.apiCredential.header { names.insert(header.lowercased()) }
    return names
  }

  /// The request with the credential in it, in the place of any that it had.
  func apply(to request: HTTPRequest) throws(OAuthFailure) -> HTTPRequest {
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
}
