/// An authorization request (RFC 6749 §4.1.1) with a valid client and redirect URI.
struct TrustedRequest {
  /// The client or redirect URI is invalid. The user sees the error, and there is no redirect (RFC 6749 §4.1.2.1).
  struct Distrust: Error { let description: String }

  let parameters: Fields
  let client: RegisteredClient
  let redirectURI: String

  init(_ parameters: Fields) throws(Distrust) {
    self.parameters = parameters
    guard let client = RegisteredClient.registered(id: parameters["client_id"] ?? "") else {
      throw Distrust(description: "The client is unknown.")
    }
    guard let uri = parameters.filled("redirect_uri") else { throw Distrust(description: "The redirect_uri is missing.") }
    guard RegisteredClient.allowsRedirect(to: uri) else {
      throw Distrust(description: "The redirect_uri isn't registered for this client.")
    }
    self.client = client
    redirectURI = uri
  }

  /// The requested scopes. Default: `profile` and `read` (RFC 6749 §3.3 lets the server choose).
  var scopes: [String] {
    parameters.filled("scope").map { $0.split(separator: " ").map(String.init) } ?? ["profile", "read"]
  }

  /// Checks what the client is told of by redirect (RFC 6749 §4.1.2.1), and returns the challenge.
  func checkedChallenge() throws(OAuthError) -> String {
    if let name = parameters.duplicate { throw .invalidRequest("\(name) occurs twice") }
    guard let type = parameters.filled("response_type") else { throw .invalidRequest("the response_type is missing") }
    guard type == "code" else {
      throw OAuthError(code: "unsupported_response_type", description: "the response_type must be code")
    }
    guard let challenge = parameters.filled("code_challenge") else {
      throw .invalidRequest("a public client must send a code_challenge")
    }
    // Absent means plain (RFC 7636 §4.3), which is not supported.
    guard parameters["code_challenge_method"] == "S256" else { throw .invalidRequest("the code_challenge_method must be S256") }
    guard challenge.utf8.count == 43 else { throw .invalidRequest("the code_challenge must have 43 characters") }
    return challenge
  }
}
