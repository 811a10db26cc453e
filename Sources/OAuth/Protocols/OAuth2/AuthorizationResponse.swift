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
      self = .failure(Self.failure(error, value("error_description"), value("error_uri")))
    } else if let code = value("code"), !code.isEmpty {
      self = .code(Secret(code))
    } else {
      self = .failure(.untrusted("the redirect has neither a code nor an error"))
    }
  }

  private static func failure(_ error: String, _ description: String?, _ uri: String?) -> OAuthFailure {
    var details: [JSON.Member] = [.init("error", .string(ErrorText.clean(error)))]
    if let description, !description.isEmpty { details.append(.init("errorDescription", .string(ErrorText.clean(description)))) }
    if let uri, !uri.isEmpty { details.append(.init("errorUri", .string(ErrorText.clean(uri)))) }
    if error == "access_denied" { return OAuthFailure(.accessDenied, "the sign-in was denied", details: details) }
    let isRetryable = error == "temporarily_unavailable" || error == "server_error"
    return OAuthFailure(
      .authorizationServerError, "the authorization server refused the sign-in: \(ErrorText.clean(error))", details: details,
      isRetryable: isRetryable)
  }
}

/// Text that a server sent about an error, made fit for a message: no control characters and no novel.
enum ErrorText {
  /// 500 characters are more than any provider's description needs.
  private static let limit = 500

  static func clean(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(limit)))
  }
}
