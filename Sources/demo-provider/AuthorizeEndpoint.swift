/// The authorization endpoint (RFC 6749 §3.1) and its consent form.
struct AuthorizeEndpoint {
  let call: Call

  func answer() -> Response {
    guard ["GET", "HEAD"].contains(call.request.method) else { return .methodNotAllowed(allow: "GET") }
    let parameters = call.request.query
    return withChecked(parameters) { request, challenge in
      switch parameters["demo_auto"] {
      case "allow": return allow(request.scopes, request, challenge)
      case "deny": return deny(request)
      case .some: return .html(Pages.message(title: "Not possible", text: "This value of demo_auto is unknown."), status: 400)
      case nil:
        return .html(
          Pages.consent(
            client: request.client.id, redirectURI: request.redirectURI, scopes: request.scopes,
            action: call.issuer + "/authorize/decision", query: parameters.encoded))
      }
    }
  }

  /// Answers the consent form: the authorization request, a decision and the selected scopes.
  func answerDecision() -> Response {
    guard call.request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    let form = call.request.form ?? Fields([])
    // The request comes from the browser again, so it must be checked again.
    return withChecked(Fields(encoded: (form["request"] ?? "").utf8)) { request, challenge in
      let ticked = Set(form.all("scope"))
      let scopes = request.scopes.filter(ticked.contains)
      return form["decision"] == "allow" && !scopes.isEmpty ? allow(scopes, request, challenge) : deny(request)
    }
  }

  private func withChecked(_ parameters: Fields, _ then: (TrustedRequest, String) -> Response) -> Response {
    let request: TrustedRequest
    do throws(TrustedRequest.Distrust) {
      request = try TrustedRequest(parameters)
    } catch {
      return .html(Pages.message(title: "Not possible", text: error.description), status: 400)
    }
    do throws(OAuthError) {
      return then(request, try request.checkedChallenge())
    } catch {
      return respond(request, [("error", error.code), ("error_description", error.description)])
    }
  }

  private func deny(_ request: TrustedRequest) -> Response {
    respond(request, [("error", "access_denied"), ("error_description", "the user denied access")])
  }

  private func allow(_ scopes: [String], _ request: TrustedRequest, _ challenge: String) -> Response {
    let code = Grant.Code(
      clientID: request.client.id, redirectURI: request.redirectURI, challenge: challenge, scopes: scopes,
      nonce: request.parameters.filled("nonce"))
    return respond(request, [("code", call.site.grants.issueCode(code))])
  }

  /// Returns the authorization response with `state` (RFC 6749 §4.1.2) and `iss` (RFC 9207 §2).
  private func respond(_ request: TrustedRequest, _ result: [(name: String, value: String)]) -> Response {
    var parameters = Fields(result)
    if let state = request.parameters["state"] { parameters.pairs.append(("state", state)) }
    parameters.pairs.append(("iss", call.issuer))
    let separator = request.redirectURI.contains("?") ? "&" : "?"
    return .redirect(to: request.redirectURI + separator + parameters.encoded)
  }
}
