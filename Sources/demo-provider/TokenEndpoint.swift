import Jansson

/// The token endpoint (RFC 6749 §3.2).
struct TokenEndpoint {
  let call: Call

  func answer() -> Response {
    guard call.request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    do throws(OAuthError) {
      return response(try issue(call.request.checkedForm()))
    } catch {
      return error.response
    }
  }

  private func issue(_ form: Fields) throws(OAuthError) -> Grant.IssuedTokens {
    let client = try RegisteredClient.authenticated(call.request, form: form)
    let scopes = form.filled("scope").map { $0.split(separator: " ").map(String.init) }
    let grants = call.site.grants
    switch form["grant_type"] {
    case "authorization_code":
      return try grants.redeem(
        code: form["code"] ?? "", client: client, redirectURI: form["redirect_uri"], verifier: form.filled("code_verifier"))
    case "refresh_token":
      return try grants.refresh(form["refresh_token"] ?? "", client: client, scopes: scopes)
    case Grant.Device.grantType:
      return try grants.redeem(deviceCode: form["device_code"] ?? "", client: client)
    case nil:
      throw .invalidRequest("the grant_type is missing")
    default:
      throw OAuthError(code: "unsupported_grant_type", description: "the grant_type is none of those in the metadata")
    }
  }

  /// Returns the token response (RFC 6749 §5.1).
  private func response(_ tokens: Grant.IssuedTokens) -> Response {
    var members: [JSON.Member] = [
      .init("access_token", .string(tokens.accessToken)), .init("token_type", "Bearer"), .init("expires_in", .integer(Grants.lifetime)),
      .init("scope", .string(tokens.scopes.joined(separator: " "))), .init("refresh_token", .string(tokens.refreshToken)),
    ]
    if tokens.scopes.contains("openid"),
      let idToken = call.site.signer.token(issuer: call.issuer, clientID: "demo", nonce: tokens.nonce, now: Process.now() / 1000)
    {
      members.append(.init("id_token", .string(idToken)))
    }
    return .json(.object(members), headers: [("Cache-Control", "no-store")])
  }
}
