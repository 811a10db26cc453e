import Jansson

/// The response at the redirect URI (RFC 6749, 4.1.2), after `state` has shown which sign-in it belongs to.
package enum AuthorizationResponse: Sendable {
  case code(Secret)
  case failure(OAuthFailure)

  /// Reads the redirect's parameters. An `iss` parameter must match `issuer` (RFC 9207, 2.4).
  ///
  /// `issuer` may contain a {name} if every tenant is a separate issuer. If no issuer is known, `iss` must have the origin of `page`, the
  /// authorization endpoint.
  package init(
    _ parameters: [RedirectParameter], issuer: String?, page: String, isIssuerRequired: Bool = false, codeParameter: String = "code",
    stateParameter: String = "state"
  ) {
    func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    if let iss = value("iss"), !Self.isExpected(iss, issuer, page) {
      // Any page can forge a redirect and choose this text, so the message quotes only its first 200 characters.
      let named = ErrorText.clean(String(iss.unicodeScalars.prefix(200)))
      let wanted = issuer ?? Provider.origin(page)
      var failure = OAuthFailure.untrusted("the redirect names the issuer \(named), but \(wanted) was asked")
      failure.details = [.init("issuer", .string(named)), .init("wantedIssuer", .string(wanted))]
      self = .failure(failure)
    } else if let error = value("error"), !error.isEmpty {
      let hidden = Redaction([value(codeParameter), value(stateParameter)].compactMap { $0.map(Secret.init) })
      self = .failure(Self.failure(error, value("error_description"), value("error_uri"), hidden))
    } else if isIssuerRequired, value("iss") == nil {
      // `iss` protects codes. An error without `iss` is accepted, so that a denial ends the sign-in.
      self = .failure(.untrusted("the redirect names no issuer, although this provider always names it"))
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
      .authorizationServerError, "the authorization server rejected the sign-in: \(shown)\(said)", details: details,
      isRetryable: isRetryable)
  }
}
