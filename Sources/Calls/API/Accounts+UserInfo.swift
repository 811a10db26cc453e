import Jansson
import OAuth
import OAuthCore
import Signatures
import Store

/// The userinfo endpoint (OpenID Connect Core, 5.3.1). Its requests are refreshed, replayed and retried like API calls.
extension Accounts {
  /// Asks the endpoint about the account's user. `timeout` is in seconds, for the whole request.
  package func requestUserInfo(
    of account: String, in timeout: Int = Accounts.defaultTimeoutSeconds, requestID: JSON?
  ) async throws -> APIResponse {
    let deadline = clock.deadline(in: timeout)
    let grant = try await withinTimeout(account, timeout) { [self] in
      let tokens = try tokens(of: account)
      return try await tokens.withCertificate(tokens.present(requestID: requestID))
    }
    let provider = try grant.resolvedProvider
    guard let endpoint = provider.userInfoEndpoint.map({ provider.endpoint($0, for: grant.client) }) else {
      throw OAuthFailure.unsupported("the provider's description has no userInfoEndpoint").of(account)
    }
    var request = APIRequest(account: account, url: endpoint)
    request.as = .json
    request.timeout = max(1, deadline.left)
    request.requestID = requestID
    request.endpoint = endpoint
    return try await APICall(accounts: self, request: request) { _ in true }.run()
  }

  /// Reads a successful response: JSON, or a JWT that one of the issuer's keys has signed (OpenID Connect Core, 5.3.2), whatever its type is called.
  /// `claims` is the provider's own JSON.
  package func userInfo(in response: APIResponse, of account: String) async throws -> (subject: String?, claims: JSON) {
    var body = response.body
    if case .text(let text) = body, text.starts(with: "eyJ".utf8) {
      body = try await verified(Secret(String(String(decoding: text, as: UTF8.self).trimmed)), of: account)
    }
    guard case .json(let bytes) = body, let json = try? JSON.parse(bytes) else {
      throw OAuthFailure.untrusted("the userinfo endpoint's response is not JSON that can be passed on").of(account)
    }
    // Some providers answer with a list of one user.
    let (path, user) = (
      try grant(login(of: account)).resolvedProvider.userInfoPath, json.array?.count == 1 ? json.array?.first : json
    )
    let found = path.flatMap { $0.value(in: json) } ?? user
    let isWhole = found == json
    return (try subject(found, of: account), isWhole ? .verbatim(bytes) : found ?? .null)
  }

  /// Returns the claims of a signed response. Its issuer and its audience are optional.
  private func verified(_ token: Secret, of account: String) async throws -> APIResponse.Body {
    let grant = try grant(login(of: account))
    let provider = try grant.resolvedProvider
    guard let uri = provider.jwksUri else {
      throw OAuthFailure.unsupported(
        "the userinfo endpoint's response is signed, and the provider's description has no jwksUri to verify it with"
      ).of(account)
    }
    let untrusted = OAuthFailure.untrusted(
      "the userinfo endpoint's response is a JWT for another client or issuer, or without a signature by the issuer's keys"
    ).of(account)
    do {
      let signature = try JSONWebSignature(token)
      let claims = try JSON.parse(signature.payload)
      let (issuer, tenant) = (claims["iss"]?.string, claims["tid"]?.string)
      try await dependencies.servers.keys.verify(
        signature, issuer: issuer, tenant: tenant, keysAt: .init(uri: uri, limit: provider.scopeLimit(of: uri)))
      let audiences = claims["aud"].map { $0.array ?? [$0] }
      if let audiences, !audiences.contains(.string(grant.client.id)) { throw untrusted }
      if let issuer, let own = provider.issuer, !IssuerTemplate(own).names(issuer, tenant: tenant) { throw untrusted }
      guard case .success(let json) = JSON.Scan.splice(signature.payload) else { return .text([]) }
      return .json(json)
    } catch let failure as OAuthFailure {
      throw failure.kind == .responseUntrusted ? untrusted : failure
    } catch is JSONFault {
      throw untrusted
    }
  }

  /// Returns the claim `sub`. It must equal the ID token's, or the claims must not be used (5.3.2). Without an ID token there is nothing to compare.
  /// Some providers call the claim `id` or `user_id`.
  private func subject(_ claims: JSON?, of account: String) throws -> String? {
    guard let claims, case .object = claims else {
      throw OAuthFailure.untrusted("the userinfo endpoint's response is not an object").of(account)
    }
    let names = claims["sub"] == nil ? ["id", "user_id", "uid"] : ["sub"]
    let subjects = names.compactMap { claims.member(spelled: $0)?.scalarText }
    guard let expected = try grant(login(of: account)).subject else { return subjects.first }
    guard subjects.contains(expected) else {
      throw OAuthFailure.untrusted("the userinfo endpoint's response is about a user other than the ID token's (sub)").of(account)
    }
    return expected
  }
}
