import Jansson

/// The introspection endpoint (RFC 7662), for every registered client.
struct IntrospectionEndpoint {
  let call: Call

  func answer() -> Response {
    guard call.request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    do throws(OAuthError) {
      let form = try call.request.checkedForm()
      _ = try RegisteredClient.authenticated(call.request, form: form)
      guard let token = form.filled("token") else { throw .invalidRequest("the token is missing") }
      return .json(state(of: token))
    } catch {
      return error.response
    }
  }

  private func state(of text: String) -> JSON {
    let grants = call.site.grants
    if let (token, grant) = grants.living(accessToken: text) {
      return active(grant, scopes: token.scopes, and: ["token_type": "Bearer", "exp": .integer(token.expiresAt / 1000)])
    }
    if let grant = grants.living(refreshToken: text) { return active(grant, scopes: grant.scopes, and: [:]) }
    // RFC 7662 §2.2: the response for an invalid token has no other member.
    return ["active": false]
  }

  private func active(_ grant: Grant, scopes: [String], and more: JSON) -> JSON {
    let members: JSON = [
      "active": true, "client_id": .string(grant.clientID), "iss": .string(call.issuer), "scope": .string(scopes.joined(separator: " ")),
      "sub": .string(grant.hasUser ? "demo" : grant.clientID),
    ]
    return .object((members.members ?? []) + (more.members ?? []))
  }
}
