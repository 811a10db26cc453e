import OAuthCore
import Platform
import Signatures
import Synchronization

/// All grants since the start, in memory under one lock.
final class Grants: Sendable {
  private struct State: Sendable {
    var grants: [Grant] = []
    var codes: [String: Grant.Code] = [:]
    var devices: [String: Grant.Device] = [:]
    var accessTokens: [String: Grant.AccessToken] = [:]
    var refreshTokens: [String: Grant.RefreshToken] = [:]
  }

  /// Seconds. One hour is the usual lifetime of an access token.
  static let lifetime = 3600

  private let state = Mutex(State())

  /// Returns the time in Unix milliseconds.
  static func now() -> Int { Clock.system.milliseconds() }

  /// Returns 192 random bits in base64url, more than RFC 6749 §10.10 requires of a token.
  private func randomText() -> String { Base64.encodeURL((0..<24).map { _ in UInt8.random(in: 0...255) }) }

  func issueCode(_ code: Grant.Code) -> String {
    let text = "demo-code-" + randomText()
    state.withLock { $0.codes[text] = code }
    return text
  }

  /// Redeems a code once. A second redemption revokes the tokens of the first (RFC 6749 §4.1.2).
  func redeem(code text: String, redirectURI: String?, verifier: String?) throws(OAuthError) -> Grant.IssuedTokens {
    try state.withLock { state throws(OAuthError) in
      guard let code = state.codes[text] else { throw .invalidGrant("the code is unknown") }
      if let grant = code.grant {
        state.grants[grant].isRevoked = true
        throw .invalidGrant("the code was used before, so its tokens are revoked")
      }
      guard code.redirectURI == redirectURI else { throw .invalidGrant("the redirect_uri differs from the authorization request's") }
      guard verifier.map(AuthorizationRequest.PKCE.challenge) == code.challenge else {
        throw .invalidGrant("the code_verifier doesn't fit the code_challenge")
      }
      state.codes[text]?.grant = state.grants.count
      var tokens = issueFirst(&state, code.scopes)
      tokens.nonce = code.nonce
      return tokens
    }
  }

  func issueDeviceCode(scopes: [String]) -> (deviceCode: String, userCode: String) {
    let (deviceCode, now) = ("demo-device-" + randomText(), Self.now())
    let userCode = String(randomText().filter(\.isLetter).uppercased().prefix(8))
    let device = Grant.Device(userCode: userCode, scopes: scopes, expiresAt: now + Grant.Device.lifetime * 1000, askedAt: now)
    state.withLock { $0.devices[deviceCode] = device }
    return (deviceCode, userCode)
  }

  /// Records what the user has decided. Returns false for an unknown code.
  func decide(userCode: String, allows: Bool) -> Bool {
    let (userCode, now) = (userCode.filter(\.isLetter).uppercased(), Self.now())
    return state.withLock { state in
      guard let found = state.devices.first(where: { $0.value.userCode == userCode && $0.value.expiresAt > now }) else { return false }
      state.devices[found.key]?.isAllowed = allows
      return true
    }
  }

  /// Answers the question whether the user has allowed the device (RFC 8628 §3.4 and §3.5).
  func redeem(deviceCode: String) throws(OAuthError) -> Grant.IssuedTokens {
    let now = Self.now()
    return try state.withLock { state throws(OAuthError) in
      guard let device = state.devices[deviceCode] else { throw .invalidGrant("the device code is unknown") }
      guard device.expiresAt > now else { throw OAuthError(code: "expired_token", description: "the device code has expired") }
      state.devices[deviceCode]?.askedAt = now
      switch device.isAllowed {
      case nil where now - device.askedAt < Grant.Device.interval * 1000:
        throw OAuthError(code: "slow_down", description: "wait longer between two questions")
      case nil: throw OAuthError(code: "authorization_pending", description: "the user has not decided yet")
      case false?: throw OAuthError(code: "access_denied", description: "the user denied access")
      case true?:
        state.devices[deviceCode] = nil
        return issueFirst(&state, device.scopes)
      }
    }
  }

  /// Refreshes the tokens. A spent token revokes the whole grant (RFC 9700 §4.14.2).
  func refresh(_ text: String, scopes: [String]?) throws(OAuthError) -> Grant.IssuedTokens {
    try state.withLock { state throws(OAuthError) in
      guard let token = state.refreshTokens[text] else { throw .invalidGrant("the refresh token is unknown") }
      guard !state.grants[token.grant].isRevoked else { throw .invalidGrant("the grant was revoked") }
      guard !token.isSpent else {
        state.grants[token.grant].isRevoked = true
        throw .invalidGrant("the refresh token was used before, so the grant is revoked")
      }
      let granted = state.grants[token.grant].scopes
      if let scopes, !Set(scopes).isSubset(of: granted) { throw OAuthError(code: "invalid_scope", description: "a scope wasn't granted") }
      return issue(&state, grant: token.grant, scopes: scopes ?? granted, replacing: text)
    }
  }

  /// Issues the tokens of a new grant.
  private func issueFirst(_ state: inout State, _ scopes: [String]) -> Grant.IssuedTokens {
    state.grants.append(Grant(scopes: scopes))
    return issue(&state, grant: state.grants.count - 1, scopes: scopes, replacing: nil)
  }

  private func issue(_ state: inout State, grant: Int, scopes: [String], replacing old: String?) -> Grant.IssuedTokens {
    let access = "demo-at-" + randomText()
    state.accessTokens[access] = Grant.AccessToken(grant: grant, scopes: scopes, expiresAt: Self.now() + Self.lifetime * 1000)
    if let old { state.refreshTokens[old]?.isSpent = true }
    let refresh = "demo-rt-" + randomText()
    state.refreshTokens[refresh] = Grant.RefreshToken(grant: grant)
    return Grant.IssuedTokens(accessToken: access, refreshToken: refresh, scopes: scopes)
  }

  /// Returns a valid access token.
  func living(accessToken: String) -> Grant.AccessToken? {
    let now = Self.now()
    return state.withLock { state in
      guard let token = state.accessTokens[accessToken], token.expiresAt > now, !state.grants[token.grant].isRevoked else { return nil }
      return token
    }
  }

  /// Revokes the whole grant of either token. An unknown token is not an error (RFC 7009 §2.2).
  func revoke(_ text: String) {
    state.withLock { state in
      if let grant = state.refreshTokens[text]?.grant ?? state.accessTokens[text]?.grant { state.grants[grant].isRevoked = true }
    }
  }
}

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
