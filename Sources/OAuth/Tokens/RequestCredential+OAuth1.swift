import OAuthCore

// MARK: OAuth 1.0a (RFC 5849, 3)
extension RequestCredential {
  /// Returns the request with everything that its signature needs. It contains a nonce and the time, so it is valid for one attempt.
  func signature(for request: HTTPRequest) throws(OAuthFailure) -> OAuth1Request {
    var request = request
    request.headers.removeAll { $0.name.lowercased() == "authorization" }
    return try signer().draft(request, token: try grant.signingToken())
  }

  /// Returns why the service rejected the signature, and learns the service's clock for the next one.
  ///
  /// RFC 5849 (3.2) uses the same 401 for a bad signature, an expired token and a wrong time.
  /// The problem reporting extension and services' own codes distinguish them.
  func signatureRefusal(_ response: HTTPResponse, _ code: String?) -> Refusal? {
    if let code, provider.api.expired.codes.contains(code) { return .token(isCertain: true) }
    guard Set([400, 401, 403] + provider.api.expired.statuses).contains(response.status) else { return nil }
    let problem: OAuth1Problem
    let learns: Bool
    do throws(OAuthFailure) {
      let signer = try signer()
      let sent = signer.draft(HTTPRequest(method: "GET", url: ""), token: try grant.signingToken())
      guard let found = OAuth1Problem(response, sent: sent) else { return nil }
      problem = found
      learns = signer.learns(from: found, response)
    } catch {
      // The request could not be signed, so the service cannot have rejected its signature.
      return nil
    }
    if learns || problem.problem == "nonce_used" { return .signature }
    if problem.refusesToken { return .token(isCertain: true) }
    return provider.api.expired.statuses.contains(response.status) && !problem.refusesRequest ? .token(isCertain: false) : nil
  }

  /// PLAINTEXT's signature (3.4.4); nil with other methods.
  var plaintextSignature: Secret? {
    guard provider.oauth1.signatureMethod == .plaintext else { return nil }
    let secrets = [grant.client.secret, grant.tokenSecret].map { PercentEncoding.encode($0?.value ?? "") }
    return Secret(secrets.joined(separator: "&"))
  }

  private func signer() throws(OAuthFailure) -> OAuth1Signer {
    try OAuth1Signer(account: grant.account, client: grant.client, provider: provider, dependencies: dependencies)
  }
}
