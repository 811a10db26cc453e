/// One misbehaviour, requested in the path: `status-503`, or `refresh:status-503` for refreshing only.
struct Mode: Sendable {
  /// The request that a mode applies to. The first four belong to the token endpoint.
  enum Target: String, Sendable {
    case token, code, refresh, client
    case metadata, authorize, revoke, introspect, userinfo
  }

  enum Name: String, Sendable {
    // The form of a valid token response.
    case expiresString = "expires-string"
    case expiresMissing = "expires-missing"
    case expiresShort = "expires-short"
    case noTokenType = "no-token-type"
    case lowerTokenType = "lower-token-type"
    case formAnswer = "form-answer"
    case formPlain = "form-plain"
    case noAccessToken = "no-access-token"
    case nulToken = "nul-token"
    case noScope = "no-scope"
    case fewerScopes = "fewer-scopes"
    case commaScopes = "comma-scopes"
    // The lifetime of the refresh token.
    case noRotate = "no-rotate"
    case noRefreshToken = "no-refresh-token"
    // An invalid token response.
    case nestedErrorObject = "nested-error-object"
    case garbage
    case huge
    case never
    case drop
    /// The request takes effect, but its answer is lost.
    case dropAfter = "drop-after"
    case redirectLoop = "redirect-loop"
    case redirectElsewhere = "redirect-elsewhere"
    // The redirect from the authorization endpoint.
    case wrongIss = "wrong-iss"
    case noIss = "no-iss"
    case wrongState = "wrong-state"
    case formPost = "form-post"
    // Client authentication.
    case noAuthBody = "no-auth-body"
    case secretBasicOnly = "secret-basic-only"
    case secretPostOnly = "secret-post-only"
    // Revocation.
    case revokeUnsupported = "revoke-unsupported"
    case revokeMissing = "revoke-missing"
    // With a number: `expires-60`, `status-503`, `refresh-fails-2`.
    case expires
    case status
    case empty
    case html
    case error
    case slow
    case refreshFails = "refresh-fails"
    case refreshSlow = "refresh-slow"
    case revoke

    var takesNumber: Bool {
      switch self {
      case .expires, .status, .empty, .html, .error, .slow, .refreshFails, .refreshSlow, .revoke: true
      default: false
      }
    }
  }

  let name: Name
  let number: Int
  /// The target in the mode. nil means every target that suits the name.
  let target: Target?

  /// Parses a mode. Returns nil for an unknown name, number or target.
  init?(_ text: Substring) {
    var rest = text
    if let colon = text.firstIndex(of: ":") {
      guard let target = Target(rawValue: String(text[..<colon])) else { return nil }
      self.target = target
      rest = text[text.index(after: colon)...]
    } else {
      target = nil
    }
    if let name = Name(rawValue: String(rest)), !name.takesNumber {
      self.name = name
      number = 0
    } else {
      guard let dash = rest.lastIndex(of: "-"), let number = UInt32(rest[rest.index(after: dash)...]),
        let name = Name(rawValue: String(rest[..<dash])), name.takesNumber
      else { return nil }
      self.name = name
      self.number = Int(number)
    }
  }

  /// Whether the mode applies to this target. A mode for `token` applies to every grant type.
  func applies(to target: Target) -> Bool {
    guard let own = self.target else { return true }
    return own == target || (own == .token && [.code, .refresh, .client].contains(target))
  }
}
