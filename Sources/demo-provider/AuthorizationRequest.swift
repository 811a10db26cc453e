/// An authorization request (RFC 6749 §4.1.1) whose client and redirect URI are known good.
struct AuthorizationRequest {
  /// The rest of the request is wrong, which the client is told by redirect (RFC 6749 §4.1.2.1).
  struct Refusal: Error {
    let code: String
    let description: String
  }

  /// Client or redirect URI are wrong: the user is told, and nobody is redirected (RFC 6749 §4.1.2.1).
  struct Distrust: Error { let description: String }

  static let scopesSupported = ["openid", "profile", "email", "read", "write", "offline_access"]

  /// The scope that is always refused with `invalid_scope`; any other name is granted, so that tests can choose theirs.
  private static let forbiddenScope = "forbidden"

  let parameters: Fields
  let client: Client
  let redirectURI: String

  init(_ parameters: Fields) throws(Distrust) {
    self.parameters = parameters
    guard let client = Client.registered(id: parameters["client_id"] ?? "") else { throw Distrust(description: "The client is unknown.") }
    guard let uri = parameters.filled("redirect_uri") else { throw Distrust(description: "The redirect_uri is missing.") }
    guard Client.allowsRedirect(to: uri) else { throw Distrust(description: "The redirect_uri isn't registered for this client.") }
    self.client = client
    redirectURI = uri
  }

  var state: String? { parameters["state"] }

  /// The scopes asked for; `profile` and `read` when none are (RFC 6749 §3.3 lets the server choose).
  var scopes: [String] {
    parameters.filled("scope").map { $0.split(separator: " ").map(String.init) } ?? ["profile", "read"]
  }

  /// Checks what may be answered by redirect, and gives the challenge.
  func checkedChallenge() throws(Refusal) -> String? {
    if let name = parameters.duplicate { throw invalid("\(name) stands there twice") }
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
    // Absent means plain (RFC 7636 §4.3), which isn't offered.
    guard parameters["code_challenge_method"] == "S256" else { throw invalid("the code_challenge_method must be S256") }
    guard challenge.utf8.count == 43 else { throw invalid("the code_challenge must have 43 characters") }
    return challenge
  }

  private func invalid(_ description: String) -> Refusal { Refusal(code: "invalid_request", description: description) }
}
