import OAuthCore
import Signatures
import Store

/// A grant's credential in one request. Each request needs a new one, because a signature is valid only once.
package final class RequestCredential: Sendable {
  /// What the service says about the credential.
  package enum Rejection: Equatable {
    /// Only the signature is invalid (its time, its nonce). The same request may succeed with a new signature.
    case signature
    /// The token is expired or revoked. `isCertain` is true if the service says so, and false if it only rejects the request.
    case token(isCertain: Bool)
  }

  package let grant: Grant
  package let resolved: Grant.DecodedDescription.Resolved
  let dependencies: Dependencies
  /// The user name of a host that takes the token as a password (RFC 7617); nil if the token goes where the provider's API takes it.
  private let userName: String?

  package init(
    grant: Grant, resolved: Grant.DecodedDescription.Resolved, dependencies: Dependencies, userName: String? = nil
  ) {
    (self.grant, self.resolved, self.dependencies, self.userName) = (grant, resolved, dependencies, userName)
  }

  /// Whether requests are signed. OpenID can also return a signing token (OpenID OAuth Extension 1.0).
  package var signs: Bool { resolved.provider.protocolName == .oauth1 || grant.tokenSecret != nil }

  /// Returns the request with the account's credential, which replaces any other.
  func apply(to request: HTTPRequest) throws(OAuthFailure) -> HTTPRequest {
    var request = request
    request.clientCertificate = grant.client.certificate
    if let userName {
      request.headers.removeAll { $0.isNamed("authorization") }
      request.headers.append(
        HTTPHeader("Authorization", "Basic " + Base64.encode(Array("\(userName):\(try grant.bareToken().value)".utf8))))
      return request
    }
    if signs { return try signature(for: request).signed() }
    let token = try grant.usableToken()
    // A bound token has one place (RFC 9449, 7.1).
    let place = grant.dpopKey == nil ? resolved.provider.api.apiCredential : .init()
    request.headers.removeAll { $0.name.lowercased() == "authorization" || $0.name.lowercased() == place.header?.lowercased() }
    if let header = place.header {
      request.headers.append(HTTPHeader(header, token.value))
    } else if let query = place.query {
      guard let url = try? URLParts(request.url) else { throw .untrusted("the request's URL is not valid") }
      request.url = url.settingQuery(query, to: token.value).description
    } else {
      guard place.scheme != nil || grant.tokenType?.uppercased() != "N_A" else {
        throw .unsupported("the account's token is not for calls of an API: its type is N_A (RFC 8693, 2.2.1). accessToken returns it")
          .of(grant.account)
      }
      request.headers.append(HTTPHeader("Authorization", "\(place.scheme ?? grant.tokenType ?? "Bearer") \(token.value)"))
    }
    return request
  }

  /// Returns the response to the request with the credential, and with a proof if the token is bound to a key.
  package func send(_ request: HTTPRequest, _ send: (HTTPRequest) async throws -> HTTPResponse) async throws -> HTTPResponse {
    try await dependencies.proven(by: grant.dpopKey, token: grant.accessToken) {
      try apply(to: request)
    } _: {
      try await send($0)
    }
  }

  /// Returns the request with the credential, and with a proof if the token is bound to a key. `nonce` is what the service wants in the proof.
  package func applyOnce(to request: HTTPRequest, nonce: String?) throws(OAuthFailure) -> HTTPRequest {
    let request = try apply(to: request)
    guard let key = grant.dpopKey else { return request }
    return try dependencies.proving(request, by: key, token: grant.accessToken, nonce: nonce)
  }

  /// Returns a redirect's URL without the credential. Many redirects repeat the request's query or even its form.
  ///
  /// A signature is valid for one request, and a request that contains one cannot be signed again (RFC 5849, 3.1 and 3.2).
  /// PLAINTEXT's signature contains the secrets, and a redirect may return it under any name.
  package func removed(from url: URLParts) -> URLParts {
    guard signs || resolved.provider.api.apiCredential.query != nil else { return url }
    // If the signature is in the header, such parameters in a redirect are the next service's own.
    let hasParameters = signs && resolved.provider.oauth1.signaturePlacement != .header
    let secrets = [grant.accessToken, signs ? plaintextSignature : nil].compactMap { $0?.value }
    return url.removingQuery { name, value in (hasParameters && OAuth1Parameter(name, value).isCredential) || secrets.contains(value) }
  }

  /// `code` is the service's own, if the provider's description gives its place.
  package func rejection(_ response: HTTPResponse, _ code: String?) -> Rejection? {
    if signs { return signatureRejection(response, code) }
    // The proof was wrong, and another token would not help.
    if grant.dpopKey != nil, response.rejectsProof { return nil }
    guard resolved.provider.api.expired.matches(response.status, code) else { return nil }
    return .token(isCertain: response.saysInvalidToken || code.map(resolved.provider.api.expired.codes.contains) == true)
  }
}

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
  func signatureRejection(_ response: HTTPResponse, _ code: String?) -> Rejection? {
    if let code, resolved.provider.api.expired.codes.contains(code) { return .token(isCertain: true) }
    guard Set([400, 401, 403] + resolved.provider.api.expired.statuses).contains(response.status) else { return nil }
    // A request that could not be signed was not sent, so the service cannot have rejected its signature.
    guard let signer = try? signer(), let token = try? grant.signingToken(),
      let problem = OAuth1Problem(response, sent: signer.draft(HTTPRequest(method: "GET", url: ""), token: token))
    else { return nil }
    if dependencies.servers.correctsClock(of: signer.host, from: problem, response) || problem.problem == "nonce_used" { return .signature }
    if problem.rejectsToken { return .token(isCertain: true) }
    return resolved.provider.api.expired.statuses.contains(response.status) && !problem.rejectsRequest ? .token(isCertain: false) : nil
  }

  /// PLAINTEXT's signature (3.4.4); nil with other methods.
  var plaintextSignature: Secret? {
    guard resolved.provider.oauth1.signatureMethod == .plaintext else { return nil }
    let secrets = [grant.client.secret, grant.tokenSecret].map { PercentEncoding.encode($0?.value ?? "") }
    return Secret(secrets.joined(separator: "&"))
  }

  private func signer() throws(OAuthFailure) -> OAuth1Signer {
    try OAuth1Signer(account: grant.account, client: grant.client, provider: resolved.provider, dependencies: dependencies)
  }
}

extension HTTPRequest {
  /// Adds the headers that every call of the provider's API needs, without those whose {name} has no value. Existing headers take precedence.
  package mutating func addHeaders(of provider: Provider) {
    for (name, value) in provider.api.apiHeaders.pairs
    where Template(value).names.isEmpty && !headers.contains(where: { $0.isNamed(name.lowercased()) }) {
      headers.append(HTTPHeader(name, value))
    }
  }
}

extension APIOptions.ExpiredSign {
  /// Whether a response with this status and service code says that the access token has expired.
  func matches(_ status: Int, _ code: String?) -> Bool { statuses.contains(status) || code.map(codes.contains) == true }
}
