/// A grant's credential as it goes into one request; made anew for every request, since a signature belongs to one alone.
struct RequestCredential: Sendable {
  let grant: Grant
  let provider: Provider
  let surroundings: Surroundings

  /// The request with the credential in it, in the place of any that it had.
  func apply(to request: HTTPRequest) throws(OAuthFailure) -> HTTPRequest {
    let token = try grant.usableToken()
    var request = request
    request.headers.removeAll { $0.name.lowercased() == "authorization" }
    request.headers.append(HTTPHeader("Authorization", "\(grant.tokenType ?? "Bearer") \(token.value)"))
    return request
  }
}
