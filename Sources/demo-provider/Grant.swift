/// What the demo's only user allowed a client: the family that a chain of tokens belongs to.
struct Grant: Sendable {
  let clientID: String
  let scopes: [String]
  /// False for `client_credentials`, where no user is behind it.
  let hasUser: Bool
  /// How often it was refreshed.
  var generation = 0
  /// How often refreshing was tried, failures by mode included.
  var attempts = 0
  var isRevoked = false
}

/// An authorization code and all that its redemption is checked against (RFC 6749 §4.1.3).
struct Code: Sendable {
  let clientID: String
  let redirectURI: String
  /// The S256 challenge (RFC 7636 §4.3); nil when a confidential client sent none.
  let challenge: String?
  let scopes: [String]
  /// The grant it was redeemed for, if it was.
  var grant: Int?
}

struct AccessToken: Sendable {
  let grant: Int
  let scopes: [String]
  /// Unix milliseconds, so that a token of one second lives a whole one.
  var expiresAt: Int
  let generation: Int
}

struct RefreshToken: Sendable {
  let grant: Int
  /// Replaced by a newer one: showing it again is reuse.
  var isSpent = false
}

/// How tokens are to be issued for one request.
struct TokenPolicy: Sendable {
  /// Seconds that an access token lives.
  let lifetime: Int
  let rotates: Bool
  let givesRefreshToken: Bool
  /// Put behind the random part of an access token.
  let accessTokenSuffix: String

  init(modes: Modes, target: Mode.Target, rotates: Bool) {
    // An hour is what most providers give.
    lifetime = modes.has(.expiresShort, for: target) ? 1 : modes.number(.expires, for: target) ?? 3600
    self.rotates = rotates && !modes.has(.noRotate, for: target)
    givesRefreshToken = target != .client && !modes.has(.noRefreshToken, for: target)
    accessTokenSuffix = modes.has(.nulToken, for: target) ? "\u{0}\n" : ""
  }
}

struct IssuedTokens: Sendable {
  let accessToken: String
  /// Nil when none is given, or when the old one stays.
  let refreshToken: String?
  let scopes: [String]
}
