/// The revocation endpoint (RFC 7009).
struct RevocationEndpoint {
  let call: Call

  func answer() -> Response {
    guard call.request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    do throws(OAuthError) {
      let form = try call.request.checkedForm()
      let client = try RegisteredClient.authenticated(call.request, form: form)
      guard let token = form.filled("token") else { throw .invalidRequest("the token is missing") }
      try call.site.grants.revoke(token, client: client)
      return Response(headers: [("Cache-Control", "no-store")])
    } catch {
      return error.response
    }
  }
}
