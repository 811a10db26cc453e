import OAuthCore

/// An authorization request (RFC 6749 §4.1.1) with a valid client and redirect URI.
struct TrustedRequest {
  /// The client or redirect URI is invalid. The user sees the error, and there is no redirect (RFC 6749 §4.1.2.1).
  struct Distrust: Error { let description: String }

  let parameters: Fields
  let redirectURI: String

  init(_ parameters: Fields) throws(Distrust) {
    self.parameters = parameters
    guard parameters["client_id"] == Site.client else { throw Distrust(description: "The client is unknown.") }
    guard let uri = parameters.filled("redirect_uri") else { throw Distrust(description: "The redirect_uri is missing.") }
    // Loopback on any port is allowed (RFC 8252 §7.3).
    guard let url = try? URLParts(uri), url.scheme == "http", url.userInfo == nil, url.fragment == nil,
      ["127.0.0.1", "[::1]", "localhost"].contains(url.host)
    else { throw Distrust(description: "The redirect_uri isn't registered for this client.") }
    redirectURI = uri
  }

  var scopes: [String] { parameters.scopes ?? Grant.usualScopes }

  /// Checks what the client is told of by redirect (RFC 6749 §4.1.2.1), and returns the challenge.
  func checkedChallenge() throws(OAuthError) -> String {
    if let name = parameters.duplicate { throw .invalidRequest("\(name) occurs twice") }
    guard let type = parameters.filled("response_type") else { throw .invalidRequest("the response_type is missing") }
    guard type == "code" else { throw OAuthError(code: "unsupported_response_type", description: "the response_type must be code") }
    guard let challenge = parameters.filled("code_challenge") else { throw .invalidRequest("a public client must send a code_challenge") }
    // Absent means plain (RFC 7636 §4.3), which is not supported.
    guard parameters["code_challenge_method"] == "S256" else { throw .invalidRequest("the code_challenge_method must be S256") }
    guard challenge.utf8.count == 43 else { throw .invalidRequest("the code_challenge must have 43 characters") }
    return challenge
  }
}
