/// An error response (RFC 6749 §5.2).
struct OAuthError: Error {
  let code: String
  let description: String
  var status = 400

  var response: Response { .error(code, description, status: status) }

  static func invalidRequest(_ description: String) -> OAuthError { OAuthError(code: "invalid_request", description: description) }
  static func invalidGrant(_ description: String) -> OAuthError { OAuthError(code: "invalid_grant", description: description) }
}
