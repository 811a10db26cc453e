/// An authorization server's error that decides what happens next (RFC 6749, 4.1.2.1 and 5.2; RFC 8628, 3.5; RFC 9449, 5; OpenID Connect Core,
/// 3.1.2.6). Any other one is only shown.
package enum ServerError: String, Sendable {
  case invalidRequest = "invalid_request"
  case invalidClient = "invalid_client"
  case unauthorizedClient = "unauthorized_client"
  case invalidGrant = "invalid_grant"
  case unsupportedGrantType = "unsupported_grant_type"
  case invalidScope = "invalid_scope"
  case accessDenied = "access_denied"
  case serverError = "server_error"
  case temporarilyUnavailable = "temporarily_unavailable"
  case authorizationPending = "authorization_pending"
  case slowDown = "slow_down"
  case expiredToken = "expired_token"
  case useDPoPNonce = "use_dpop_nonce"
  case invalidDPoPProof = "invalid_dpop_proof"
  case interactionRequired = "interaction_required"
  case loginRequired = "login_required"
  case consentRequired = "consent_required"

  /// Whether the client is at fault, not this request.
  package var isAboutClient: Bool { self == .invalidClient || self == .unauthorizedClient }
  /// Whether a retry may succeed.
  package var isTransient: Bool { self == .serverError || self == .temporarilyUnavailable || self == .slowDown }
  /// Whether the server wants a proof of a key.
  package var demandsProof: Bool { self == .useDPoPNonce || self == .invalidDPoPProof }
  /// Whether the server, which has understood a refresh, wants the user to sign in.
  package var wantsUser: Bool { [.invalidGrant, .interactionRequired, .loginRequired, .consentRequired].contains(self) }
}
