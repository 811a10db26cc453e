import Jansson

extension Call {
  /// The token endpoint (RFC 6749 §3.2).
  var token: Response { post { form throws(OAuthError) in response(try issue(form)) } }

  /// The revocation endpoint (RFC 7009).
  var revocation: Response {
    post { form throws(OAuthError) in
      guard let token = form.filled("token") else { throw .invalidRequest("the token is missing") }
      site.grants.revoke(token)
      return Response(headers: [("Cache-Control", "no-store")])
    }
  }

  private func issue(_ form: Fields) throws(OAuthError) -> Grant.IssuedTokens {
    let grants = site.grants
    switch form["grant_type"] {
    case "authorization_code":
      return try grants.redeem(code: form["code"] ?? "", redirectURI: form["redirect_uri"], verifier: form.filled("code_verifier"))
    case "refresh_token": return try grants.refresh(form["refresh_token"] ?? "", scopes: form.scopes)
    case Grant.Device.grantType: return try grants.redeem(deviceCode: form["device_code"] ?? "")
    case nil: throw .invalidRequest("the grant_type is missing")
    default: throw OAuthError(code: "unsupported_grant_type", description: "the grant_type is none of those in the metadata")
    }
  }

  /// Returns the token response (RFC 6749 §5.1).
  private func response(_ tokens: Grant.IssuedTokens) -> Response {
    var members: [JSON.Member] = [
      .init("access_token", .string(tokens.accessToken)), .init("token_type", "Bearer"), .init("expires_in", .integer(Grants.lifetime)),
      .init("scope", .string(tokens.scopes.joined(separator: " "))), .init("refresh_token", .string(tokens.refreshToken)),
    ]
    if tokens.scopes.contains("openid"), let idToken = site.signer.token(issuer: issuer, nonce: tokens.nonce, now: Grants.now() / 1000) {
      members.append(.init("id_token", .string(idToken)))
    }
    return .json(.object(members), headers: [("Cache-Control", "no-store")])
  }
}
