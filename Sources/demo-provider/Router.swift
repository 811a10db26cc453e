import Jansson
import OAuthCore

/// The state that all endpoints share.
struct Site: Sendable {
  /// The registered client, which is public (RFC 6749 §2.1).
  static let client = "demo"

  /// Scheme, host and port, without a path.
  let origin: String
  let grants = Grants()
  let signer = IDTokenSigner()
}

extension Call {
  /// The authorization server metadata (RFC 8414 §2) for the issuer.
  var metadata: JSON {
    [
      "issuer": .string(issuer),
      "authorization_endpoint": .string(issuer + "/authorize"),
      "token_endpoint": .string(issuer + "/token"),
      "revocation_endpoint": .string(issuer + "/revoke"),
      "userinfo_endpoint": .string(issuer + "/userinfo"),
      "device_authorization_endpoint": .string(issuer + "/device_authorization"),
      "jwks_uri": .string(issuer + "/jwks"),
      "id_token_signing_alg_values_supported": ["ES256"],
      "subject_types_supported": ["public"],
      "scopes_supported": ["openid", "profile", "email", "read", "write", "offline_access"],
      "response_types_supported": ["code"],
      "response_modes_supported": ["query"],
      "grant_types_supported": ["authorization_code", "refresh_token", .string(Grant.Device.grantType)],
      "code_challenge_methods_supported": ["S256"],
      "token_endpoint_auth_methods_supported": ["none"],
      "authorization_response_iss_parameter_supported": true,
    ]
  }
}

/// An error response (RFC 6749 §5.2).
struct OAuthError: Error {
  let code: String
  let description: String
  var status = 400

  var response: Response { .error(code, description, status: status) }

  static func invalidRequest(_ description: String) -> OAuthError { OAuthError(code: "invalid_request", description: description) }
  static func invalidGrant(_ description: String) -> OAuthError { OAuthError(code: "invalid_grant", description: description) }
}

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
