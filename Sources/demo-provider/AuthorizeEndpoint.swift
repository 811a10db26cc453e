/// The authorization endpoint (RFC 6749 §3.1) and its consent form.
struct AuthorizeEndpoint {
  let call: Call

  /// The decision of the user, or of `demo_auto` in place of the user.
  private enum Decision {
    case allow([String])
    case deny
    case fail(String)
  }

  /// Answers GET, or POST with the parameters in the body.
  func answer() -> Response {
    call.answer(for: .authorize) {
      switch call.request.method {
      case "GET", "HEAD": answer(call.request.query)
      case "POST": answer(call.request.form ?? Fields([]))
      default: .methodNotAllowed(allow: "GET, POST")
      }
    }
  }

  private func answer(_ parameters: Fields) -> Response {
    withChecked(parameters) { request, challenge in
      switch parameters["demo_auto"] {
      case "allow": return decide(.allow(request.scopes), request, challenge)
      case "deny": return decide(.deny, request, challenge)
      case "server_error", "temporarily_unavailable": return decide(.fail(parameters["demo_auto"] ?? ""), request, challenge)
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
      return decide(form["decision"] == "allow" && !scopes.isEmpty ? .allow(scopes) : .deny, request, challenge)
    }
  }

  private func withChecked(_ parameters: Fields, _ then: (TrustedRequest, String?) -> Response) -> Response {
    let request: TrustedRequest
    do throws(TrustedRequest.Distrust) {
      request = try TrustedRequest(parameters)
    } catch {
      return .html(Pages.message(title: "Not possible", text: error.description), status: 400)
    }
    do throws(TrustedRequest.Refusal) {
      return then(request, try request.checkedChallenge())
    } catch {
      return respond(request, [("error", error.code), ("error_description", error.description)])
    }
  }

  private func decide(_ decision: Decision, _ request: TrustedRequest, _ challenge: String?) -> Response {
    switch decision {
    case .deny:
      return respond(request, [("error", "access_denied"), ("error_description", "the user denied access")])
    case .fail(let code):
      return respond(request, [("error", code), ("error_description", "demo_auto asks for this error")])
    case .allow(let scopes):
      let granted = call.modes.has(.fewerScopes, for: .authorize) ? Array(scopes.prefix(1)) : scopes
      let code = call.site.grants.issueCode(
        Grant.Code(clientID: request.client.id, redirectURI: request.redirectURI, challenge: challenge, scopes: granted))
      return respond(request, [("code", code)])
    }
  }

  /// Returns the authorization response with `state` (RFC 6749 §4.1.2) and `iss` (RFC 9207 §2), both as the modes require.
  private func respond(_ request: TrustedRequest, _ result: [(name: String, value: String)]) -> Response {
    let modes = call.modes
    var parameters = Fields(result)
    if let state = request.state {
      parameters.pairs.append(("state", modes.has(.wrongState, for: .authorize) ? state + "-wrong" : state))
    }
    if !modes.has(.noIss, for: .authorize) {
      parameters.pairs.append(("iss", modes.has(.wrongIss, for: .authorize) ? "https://elsewhere.example" : call.issuer))
    }
    if modes.has(.formPost, for: .authorize) || request.parameters["response_mode"] == "form_post" {
      return .html(Pages.formPost(to: request.redirectURI, parameters: parameters))
    }
    let separator = request.redirectURI.contains("?") ? "&" : "?"
    return .redirect(to: request.redirectURI + separator + parameters.encoded)
  }
}
