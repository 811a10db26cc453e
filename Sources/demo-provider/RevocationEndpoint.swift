/// The revocation endpoint (RFC 7009).
struct RevocationEndpoint {
  let call: Call

  func answer() -> Response {
    call.answer(for: .revoke) { modeFailure ?? revoke() }
  }

  private func revoke() -> Response {
    guard call.request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    do throws(OAuthError) {
      guard let form = call.request.form else { throw .invalidRequest("the body must be application/x-www-form-urlencoded") }
      let client = try RegisteredClient.authenticated(call.request, form: form, modes: call.modes, target: .revoke)
      guard let token = form.filled("token") else { throw .invalidRequest("the token is missing") }
      try call.site.grants.revoke(token, client: client)
      return Response(headers: [("Cache-Control", "no-store")])
    } catch {
      return error.response
    }
  }

  private var modeFailure: Response? {
    if call.modes.has(.revokeMissing, for: .revoke) { return .notFound("nothing is at \(call.path)") }
    if call.modes.has(.revokeUnsupported, for: .revoke) {
      return .error("unsupported_token_type", "tokens of this type can't be revoked")
    }
    guard let status = call.modes.number(.revoke, for: .revoke) else { return nil }
    return .error("temporarily_unavailable", "the mode asks for this status", status: status)
  }
}
