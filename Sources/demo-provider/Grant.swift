/// What the demo's only user has granted a client. All tokens of a refresh chain belong to one grant.
struct Grant: Sendable {
  let clientID: String
  let scopes: [String]
  var isRevoked = false
}

extension Grant {
  /// An authorization code and the values that its redemption is checked against (RFC 6749 §4.1.3).
  struct Code: Sendable {
    let clientID: String
    let redirectURI: String
    /// The S256 challenge (RFC 7636 §4.3).
    let challenge: String
    let scopes: [String]
    /// The grant that the code was redeemed for, if any.
    var grant: Int?
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
  }
}
