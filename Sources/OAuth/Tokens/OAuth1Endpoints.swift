import OAuthCore
import Platform
import Signatures
import Store

/// Calls the two endpoints that issue credentials (RFC 5849, 2.1 and 2.3).
/// Repeats a request with the corrected time if the server rejects the timestamp.
struct OAuth1Endpoints: Sendable {
  let provider: Provider
  let signer: OAuth1Signer
  private let account: String
  private let dependencies: Dependencies
  private let deadline: Clock.Deadline?

  init(
    account: String, client: Client, provider: Provider, dependencies: Dependencies, until deadline: Clock.Deadline? = nil
  ) throws(OAuthFailure) {
    (self.provider, self.account, self.deadline) = (provider, account, deadline)
    signer = try OAuth1Signer(account: account, client: client, provider: provider, dependencies: dependencies)
    self.dependencies = dependencies
  }

  /// Without a `callback`, sends `oob`: the service shows a verifier that the user types.
  func temporaryCredentials(callback: String?, parameters: [OAuth1Parameter]) async throws -> TemporaryCredentials {
    guard let endpoint = provider.oauth1.requestTokenEndpoint else { throw OAuthFailure.lacking("requestTokenEndpoint") }
    let (response, request) = try await ask(unsigned(endpoint, nil, [OAuth1Parameter("oauth_callback", callback ?? "oob")] + parameters))
    return try Self.explaining(request) { () throws(OAuthFailure) in
      try TemporaryCredentials(response, sent: request, confirmation: provider.oauth1.oauthCallbackConfirmed)
    }
  }

  func tokenCredentials(temporary token: OAuth1Token, verifier: Secret) async throws -> TokenCredentials {
    guard let endpoint = provider.oauth1.accessTokenEndpoint else { throw OAuthFailure.lacking("accessTokenEndpoint") }
    let (response, request) = try await ask(unsigned(endpoint, token, [OAuth1Parameter("oauth_verifier", verifier.value)]))
    return try Self.explaining(request) { () throws(OAuthFailure) in try TokenCredentials(response, sent: request) }
  }

  /// Reads a response. A failure contains the base string, which shows the developer what the server signs differently.
  static func explaining<Value>(
    _ request: OAuth1Request, _ read: () throws(OAuthFailure) -> Value
  ) throws(OAuthFailure) -> Value {
    do throws(OAuthFailure) {
      return try read()
    } catch {
      var failure = error
      if let text = try request.maskedBaseString() { failure.details.append(.init("baseString", .string(text))) }
      throw failure
    }
  }

  /// Returns a new token for the old one's session handle (OAuth Session 1.0 draft 1, 4). A permanent rejection of either ends the login.
  func renewal(of token: OAuth1Token, sessionHandle: Secret, _ policy: Servers.Policy) async throws -> TokenCredentials {
    guard let endpoint = provider.oauth1.accessTokenEndpoint else { throw OAuthFailure.lacking("accessTokenEndpoint") }
    let unsigned = unsigned(endpoint, token, [OAuth1Parameter("oauth_session_handle", sessionHandle.value)])
    return try await dependencies.servers.send(to: .init(endpoint, clientID: signer.client.consumerKey), policy) {
      try await ask(unsigned)
    } read: { response, request throws(OAuthFailure) in
      do throws(OAuthFailure) {
        return try TokenCredentials(response, sent: request)
      } catch {
        let problem = OAuth1Problem(response, sent: request)
        throw error.with(\.refusal, problem.flatMap { $0.rejectsToken || $0.lacksApproval ? .login : nil })
      }
    }
  }

  /// Asks the service to revoke the grant's token. A token that is already invalid counts as revoked.
  static func revoke(_ grant: Grant, _ provider: Provider, _ dependencies: Dependencies) async throws -> RevocationRequest.Outcome {
    guard let endpoint = provider.revocation.revocationEndpoint, grant.tokenSecret != nil else { return .unsupported }
    let endpoints = try OAuth1Endpoints(account: grant.account, client: grant.client, provider: provider, dependencies: dependencies)
    // The token itself signs the request.
    let (response, request) = try await endpoints.ask(
      endpoints.signer.draft(.toTokenEndpoint(endpoint, "POST"), token: try grant.signingToken()))
    guard let problem = OAuth1Problem(response, sent: request) else { return .revoked }
    if problem.rejectsToken || problem.problem.map(provider.api.expired.codes.contains) == true { return .revoked }
    if case .failed = RevocationRequest.outcome(response) { return .failed(problem.failure) }
    return .refused
  }

  private var method: String { provider.oauth1.tokenRequestMethod.rawValue }

  /// Returns a request without a nonce and a time, which `ask` sets.
  private func unsigned(_ endpoint: String, _ token: OAuth1Token?, _ parameters: [OAuth1Parameter]) -> OAuth1Request {
    OAuth1Request(.toTokenEndpoint(endpoint, method), client: signer.client, token: token, parameters: parameters, nonce: "", timestamp: 0)
  }

  private func ask(_ unsigned: OAuth1Request) async throws -> (HTTPResponse, OAuth1Request) {
    var hasCorrected = false
    while true {
      var request = unsigned
      // A resend on another connection would repeat a used nonce.
      request.request.isSentOnce = true
      request.request.add(provider.token.tokenHeaders)
      request.nonce = signer.nonce()
      request.timestamp = signer.timestamp
      var sent = try request.signed()
      sent.baseString = try request.maskedBaseString()
      let response = try await dependencies.exchange(sent.until(deadline), to: provider, for: account, as: "token")
      let problem = hasCorrected ? nil : OAuth1Problem(response, sent: request)
      guard let problem, dependencies.servers.correctsClock(of: signer.host, from: problem, response) else { return (response, request) }
      hasCorrected = true
    }
  }
}

extension OAuth1Client {
  /// The client with the provider's signature method.
  init(_ client: Client, of provider: Provider) throws(OAuthFailure) {
    let options = provider.oauth1
    let method = options.signatureMethod
    // Signing reports a missing key.
    let key = try method.usesPrivateKey ? options.privateKey.map { pem throws(OAuthFailure) in try RSAPrivateKey(pem: pem) } : nil
    self.init(
      consumerKey: client.id, consumerSecret: client.secret ?? Secret(""), signatureMethod: method, privateKey: key,
      placement: options.signaturePlacement, realm: options.realm)
  }
}
