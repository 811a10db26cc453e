/// What the demo's only user has granted a client. All tokens of a refresh chain belong to one grant.
struct Grant: Sendable {
  /// For a request without scopes (RFC 6749 §3.3 lets the server choose).
  static let usualScopes = ["profile", "read"]

  let scopes: [String]
  var isRevoked = false
}

extension Grant {
  /// An authorization code and the values that its redemption is checked against (RFC 6749 §4.1.3).
  struct Code: Sendable {
    let redirectURI: String
    /// The S256 challenge (RFC 7636 §4.3).
    let challenge: String
    let scopes: [String]
    /// What the ID token repeats (OpenID Connect Core 1.0 §3.1.2.1).
    let nonce: String?
    /// The grant that the code was redeemed for, if any.
    var grant: Int?
  }

  /// A device code (RFC 8628 §3.2).
  struct Device: Sendable {
    static let grantType = "urn:ietf:params:oauth:grant-type:device_code"
    /// Seconds.
    static let (lifetime, interval) = (600, 2)

    let userCode: String
    let scopes: [String]
    /// In Unix milliseconds.
    let expiresAt: Int
    /// When the client asked last. It has to wait before the first question, too.
    var askedAt: Int
    /// nil until the user has decided.
    var isAllowed: Bool?
  }

  struct AccessToken: Sendable {
    let grant: Int
    let scopes: [String]
    /// In Unix milliseconds, so a token of one second is valid for a whole second.
    let expiresAt: Int
  }

  struct RefreshToken: Sendable {
    let grant: Int
    /// Replaced by a newer token. Another use counts as reuse.
    var isSpent = false
  }

  struct IssuedTokens: Sendable {
    let accessToken: String
    let refreshToken: String
    let scopes: [String]
    var nonce: String?
  }
}
