/// An authorization request (RFC 6749 §4.1.1) with a valid client and redirect URI.
struct TrustedRequest {
  /// Another part of the request is invalid. The client gets the error by redirect (RFC 6749 §4.1.2.1).
  struct Refusal: Error {
    let code: String
    let description: String
  }

  /// The client or redirect URI is invalid. The user sees the error, and there is no redirect (RFC 6749 §4.1.2.1).
  struct Distrust: Error { let description: String }

  static let scopesSupported = ["openid", "profile", "email", "read", "write", "offline_access"]

  /// The scope that is always rejected with `invalid_scope`. Any other name is granted, so tests can choose theirs.
  private static let forbiddenScope = "forbidden"

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

  var state: String? { parameters["state"] }

  /// The requested scopes. Default: `profile` and `read` (RFC 6749 §3.3 lets the server choose).
  var scopes: [String] {
    parameters.filled("scope").map { $0.split(separator: " ").map(String.init) } ?? ["profile", "read"]
  }

  /// Checks everything that can be answered by redirect, and returns the challenge.
  func checkedChallenge() throws(Refusal) -> String? {
    if let name = parameters.duplicate { throw invalid("\(name) occurs twice") }
    guard let type = parameters.filled("response_type") else { throw invalid("the response_type is missing") }
    guard type == "code" else {
      throw Refusal(code: "unsupported_response_type", description: "the response_type must be code")
    }
    if scopes.contains(Self.forbiddenScope) { throw Refusal(code: "invalid_scope", description: "this scope is never granted") }
    if parameters["prompt"] == "none" {
      throw Refusal(code: "login_required", description: "no user is signed in, and prompt=none forbids to ask")
    }
    guard let challenge = parameters.filled("code_challenge") else {
      if client.secret == nil { throw invalid("a public client must send a code_challenge") }
      return nil
    }
    // Absent means plain (RFC 7636 §4.3), which is not supported.
    guard parameters["code_challenge_method"] == "S256" else { throw invalid("the code_challenge_method must be S256") }
    guard challenge.utf8.count == 43 else { throw invalid("the code_challenge must have 43 characters") }
    return challenge
  }

  private func invalid(_ description: String) -> Refusal { Refusal(code: "invalid_request", description: description) }
}
