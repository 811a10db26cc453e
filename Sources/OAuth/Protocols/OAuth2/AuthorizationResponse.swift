import Jansson

/// What came back to the redirect address (RFC 6749, 4.1.2), after `state` has shown whose it is.
package enum AuthorizationResponse: Sendable {
  case code(Secret)
  case failure(OAuthFailure)

  /// Reads the redirect's parameters. An `iss` among them has to name `issuer` (RFC 9207, 2.4), which may have a {name} in it where every tenant is an
  /// issuer of its own; where no issuer is known, it has to be at the origin of the `page`, the authorization endpoint that the user was sent to.
  package init(
    _ parameters: [RedirectParameter], issuer: String?, page: String, isIssuerRequired: Bool = false, codeParameter: String = "code",
    stateParameter: String = "state"
  ) {
    func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    if let iss = value("iss"), !Self.isExpected(iss, issuer, page) {
      // Anyone can make a redirect up and choose the name, so it is shown as far as it takes to see what is wrong.
      let named = ErrorText.clean(String(iss.unicodeScalars.prefix(200)))
      let wanted = issuer ?? Provider.origin(page)
      var failure = OAuthFailure.untrusted("the redirect names the issuer \(named), but \(wanted) was asked")
      failure.details = [.init("issuer", .string(named)), .init("wantedIssuer", .string(wanted))]
      self = .failure(failure)
    } else if let error = value("error"), !error.isEmpty {
      let hidden = Redaction([value(codeParameter), value(stateParameter)].compactMap { $0.map(Secret.init) })
      self = .failure(Self.failure(error, value("error_description"), value("error_uri"), hidden))
    } else if isIssuerRequired, value("iss") == nil {
      // It protects codes: an error is believed without it, so that a refusal ends the sign-in.
      self = .failure(.untrusted("the redirect does not say which issuer it is from, and this one always does"))
    } else if parameters.count(where: { $0.name == codeParameter }) > 1 {
      self = .failure(.untrusted("the redirect has two codes"))
    } else if let code = value(codeParameter), !code.isEmpty {
      self = .code(Secret(code))
    } else {
      self = .failure(.untrusted("the redirect has neither a code nor an error"))
    }
  }

  private static func isExpected(_ iss: String, _ issuer: String?, _ page: String) -> Bool {
    if let issuer { return IssuerTemplate(issuer).mayName(iss) }
    guard let named = try? URLParts(iss), let asked = try? URLParts(page) else { return false }
    return named.origin == asked.origin
  }

  private static func failure(_ error: String, _ description: String?, _ uri: String?, _ hidden: Redaction) -> OAuthFailure {
    let shown = hidden.clean(error)
    let said = hidden.sentence(description)
    var details: [JSON.Member] = [.init("error", .string(shown))]
    if let description, !description.isEmpty { details.append(.init("errorDescription", .string(hidden.clean(description)))) }
    if let page = hidden.errorPage(uri) { details.append(page) }
    if error == "access_denied" { return OAuthFailure(.accessDenied, "the sign-in was denied", details: details) }
    let isRetryable = error == "temporarily_unavailable" || error == "server_error"
    return OAuthFailure(
      .authorizationServerError, "the authorization server refused the sign-in: \(shown)\(said)", details: details,
      isRetryable: isRetryable)
  }
}
