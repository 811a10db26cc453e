/// The rules for the tokens of one response.
struct TokenPolicy: Sendable {
  /// The lifetime of an access token in seconds.
  let lifetime: Int
  let rotates: Bool
  let givesRefreshToken: Bool
  /// Appended to the random part of an access token.
  let accessTokenSuffix: String

  init(modes: Modes, target: Mode.Target, rotates: Bool) {
    // One hour is the usual lifetime.
    lifetime = modes.has(.expiresShort, for: target) ? 1 : modes.number(.expires, for: target) ?? 3600
    self.rotates = rotates && !modes.has(.noRotate, for: target)
    givesRefreshToken = target != .client && !modes.has(.noRefreshToken, for: target)
    accessTokenSuffix = modes.has(.nulToken, for: target) ? "\u{0}\n" : ""
  }
}
