import Crypto
import Jansson
import OAuthCore

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

extension Call {
  /// The device authorization endpoint (RFC 8628 §3.1).
  var deviceAuthorization: Response {
    post { form throws(OAuthError) in
      let (deviceCode, userCode) = site.grants.issueDeviceCode(scopes: form.scopes ?? Grant.usualScopes)
      let page = issuer + "/device"
      return .json(
        [
          "device_code": .string(deviceCode), "user_code": .string(userCode), "verification_uri": .string(page),
          "verification_uri_complete": .string("\(page)?user_code=\(userCode)"), "expires_in": .integer(Grant.Device.lifetime),
          "interval": .integer(Grant.Device.interval),
        ], headers: [("Cache-Control", "no-store")])
    }
  }

  /// Shows the page where the user types the code, or takes its answer. `demo_auto` answers as on the authorization page.
  var devicePage: Response {
    let fields = (request.method == "POST" ? request.form : nil) ?? request.query
    guard let decision = fields["decision"] ?? fields["demo_auto"] else {
      return .html(Pages.device(userCode: fields["user_code"] ?? "", action: issuer + "/device"))
    }
    let isKnown = site.grants.decide(userCode: fields["user_code"] ?? "", allows: decision == "allow")
    return isKnown ? .message("Done", "You can close this page.") : .notPossible("The code is unknown, or it has expired.")
  }
}

/// Signs ID tokens with a key that this process has made (ES256, RFC 7518 §3.4).
struct IDTokenSigner: Sendable {
  private let key = P256.Signing.PrivateKey()

  /// Returns the ID token of the demo's only user (OpenID Connect Core 1.0 §2). `now` is in Unix seconds.
  func token(issuer: String, nonce: String?, now: Int) -> String? {
    var claims: [JSON.Member] = [
      .init("iss", .string(issuer)), .init("sub", "demo"), .init("aud", .string(Site.client)), .init("email", "demo@example.com"),
      .init("iat", .integer(now)), .init("exp", .integer(now + Grants.lifetime)),
    ]
    if let nonce { claims.append(.init("nonce", .string(nonce))) }
    let header: JSON = ["alg": "ES256", "kid": "demo", "typ": "JWT"]
    let text = [header, .object(claims)].map { Base64.encodeURL($0.text) }.joined(separator: ".")
    guard let signature = try? key.signature(for: SHA256.hash(data: Array(text.utf8))) else { return nil }
    return text + "." + Base64.encodeURL(Array(signature.rawRepresentation))
  }

  /// The public key as a key set (RFC 7517 §5).
  var keySet: JSON {
    // 0x04, then both coordinates.
    let point = Array(key.publicKey.x963Representation)
    let key: JSON = [
      "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "demo", "x": .string(Base64.encodeURL(Array(point[1..<33]))),
      "y": .string(Base64.encodeURL(Array(point[33...]))),
    ]
    return ["keys": .array([key])]
  }
}
