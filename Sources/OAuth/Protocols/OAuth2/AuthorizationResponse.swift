import Jansson

/// What came back to the redirect address (RFC 6749, 4.1.2), after `state` has shown whose it is.
package enum AuthorizationResponse: Sendable {
  case code(Secret)
  case failure(OAuthFailure)

  /// Reads the redirect's parameters; `issuer` is what `iss` is compared with (RFC 9207, 2.4), where it is known.
  package init(_ parameters: [RedirectParameter], issuer: String?) {
    func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    if let issuer, let iss = value("iss"), iss != issuer {
      self = .failure(.untrusted("the redirect names another issuer than the one that was asked"))
    } else if let error = value("error"), !error.isEmpty {
      let hidden = Redaction([value("code"), value("state")].compactMap { $0.map(Secret.init) })
      self = .failure(Self.failure(hidden.clean(error), value("error_description").map(hidden.clean), value("error_uri").map(hidden.clean)))
    } else if let code = value("code"), !code.isEmpty {
      self = .code(Secret(code))
    } else {
      self = .failure(.untrusted("the redirect has neither a code nor an error"))
    }
  }

  private static func failure(_ error: String, _ description: String?, _ uri: String?) -> OAuthFailure {
    var details: [JSON.Member] = [.init("error", .string(error))]
    if let description, !description.isEmpty { details.append(.init("errorDescription", .string(description))) }
    if let uri, !uri.isEmpty { details.append(.init("errorUri", .string(uri))) }
    if error == "access_denied" { return OAuthFailure(.accessDenied, "the sign-in was denied", details: details) }
    let isRetryable = error == "temporarily_unavailable" || error == "server_error"
    return OAuthFailure(
      .authorizationServerError, "the authorization server refused the sign-in: \(error)", details: details,
      isRetryable: isRetryable)
  }
}
