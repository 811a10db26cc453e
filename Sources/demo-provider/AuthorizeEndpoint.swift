import OAuthCore

extension Call {
  /// The authorization endpoint (RFC 6749 §3.1) with its consent form.
  var authorization: Response {
    guard ["GET", "HEAD"].contains(request.method) else { return .methodNotAllowed(allow: "GET") }
    let parameters = request.query
    return withChecked(parameters) { asked, challenge in
      switch parameters["demo_auto"] {
      case "allow": allow(asked.scopes, asked, challenge)
      case "deny": deny(asked)
      case .some: .notPossible("This value of demo_auto is unknown.")
      case nil:
        .html(
          Pages.consent(
            redirectURI: asked.redirectURI, scopes: asked.scopes, action: issuer + "/authorize/decision", query: parameters.encoded))
      }
    }
  }

  /// Answers the consent form: the authorization request, a decision and the selected scopes.
  var decision: Response {
    guard request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    let form = request.form ?? Fields([])
    // The request comes from the browser again, so it must be checked again.
    return withChecked(Fields(encoded: (form["request"] ?? "").utf8)) { asked, challenge in
      let ticked = Set(form.pairs.filter { $0.name == "scope" }.map(\.value))
      let scopes = asked.scopes.filter(ticked.contains)
      return form["decision"] == "allow" && !scopes.isEmpty ? allow(scopes, asked, challenge) : deny(asked)
    }
  }

  private func withChecked(_ parameters: Fields, _ then: (TrustedRequest, String) -> Response) -> Response {
    let asked: TrustedRequest
    do throws(TrustedRequest.Distrust) {
      asked = try TrustedRequest(parameters)
    } catch {
      return .notPossible(error.description)
    }
    do throws(OAuthError) {
      return then(asked, try asked.checkedChallenge())
    } catch {
      return respond(asked, [("error", error.code), ("error_description", error.description)])
    }
  }

  private func deny(_ asked: TrustedRequest) -> Response {
    respond(asked, [("error", "access_denied"), ("error_description", "the user denied access")])
  }

  private func allow(_ scopes: [String], _ asked: TrustedRequest, _ challenge: String) -> Response {
    let code = Grant.Code(redirectURI: asked.redirectURI, challenge: challenge, scopes: scopes, nonce: asked.parameters.filled("nonce"))
    return respond(asked, [("code", site.grants.issueCode(code))])
  }

  /// Returns the authorization response with `state` (RFC 6749 §4.1.2) and `iss` (RFC 9207 §2).
  private func respond(_ asked: TrustedRequest, _ result: [(name: String, value: String)]) -> Response {
    var parameters = Fields(result)
    if let state = asked.parameters["state"] { parameters.pairs.append(("state", state)) }
    parameters.pairs.append(("iss", issuer))
    return .redirect(to: asked.redirectURI + (asked.redirectURI.contains("?") ? "&" : "?") + parameters.encoded)
  }
}
