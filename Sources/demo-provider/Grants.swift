import OAuthCore
import Signatures
import Synchronization

/// All grants since the start, in memory under one lock.
final class Grants: Sendable {
  private struct State: Sendable {
    var grants: [Grant] = []
    var codes: [String: Grant.Code] = [:]
    var accessTokens: [String: Grant.AccessToken] = [:]
    var refreshTokens: [String: Grant.RefreshToken] = [:]
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Int
  private let randomText: @Sendable () -> String

  /// `now` returns Unix milliseconds, `randomText` an unguessable part of a token.
  init(now: @escaping @Sendable () -> Int, randomText: @escaping @Sendable () -> String) {
    self.now = now
    self.randomText = randomText
  }

  func issueCode(_ code: Grant.Code) -> String {
    let text = "demo-code-" + randomText()
    state.withLock { $0.codes[text] = code }
    return text
  }

  /// Redeems a code once. A second redemption revokes the tokens of the first (RFC 6749 §4.1.2).
  func redeem(
    code text: String, client: RegisteredClient, redirectURI: String?, verifier: String?, policy: TokenPolicy
  ) throws(OAuthError) -> Grant.IssuedTokens {
    try state.withLock { state throws(OAuthError) in
      guard let code = state.codes[text], code.clientID == client.id else { throw .invalidGrant("the code is unknown") }
      if let grant = code.grant {
        state.grants[grant].isRevoked = true
        throw .invalidGrant("the code was used before, so its tokens are revoked")
      }
      guard code.redirectURI == redirectURI else { throw .invalidGrant("the redirect_uri differs from the authorization request's") }
      // A verifier for a code without challenge is rejected too (RFC 9700 §4.8.2).
      guard verifier.map(AuthorizationRequest.PKCE.challenge) == code.challenge else {
        throw .invalidGrant("the code_verifier doesn't fit the code_challenge")
      }
      state.grants.append(Grant(clientID: client.id, scopes: code.scopes, hasUser: true))
      let grant = state.grants.count - 1
      state.codes[text]?.grant = grant
      return issue(&state, grant: grant, scopes: code.scopes, policy: policy, replacing: nil)
    }
  }

  /// Refreshes the tokens. A spent token revokes the whole grant (RFC 9700 §4.14.2).
  func refresh(_ text: String, client: RegisteredClient, scopes: [String]?, policy: TokenPolicy) throws(OAuthError) -> Grant.IssuedTokens {
    try state.withLock { state throws(OAuthError) in
      guard let token = state.refreshTokens[text], state.grants[token.grant].clientID == client.id else {
        throw .invalidGrant("the refresh token is unknown")
      }
      guard !state.grants[token.grant].isRevoked else { throw .invalidGrant("the grant was revoked") }
      guard !token.isSpent else {
        state.grants[token.grant].isRevoked = true
        throw .invalidGrant("the refresh token was used before, so the grant is revoked")
      }
      let granted = state.grants[token.grant].scopes
      if let scopes, !Set(scopes).isSubset(of: granted) { throw .invalidScope("a scope wasn't granted") }
      return issue(&state, grant: token.grant, scopes: scopes ?? granted, policy: policy, replacing: text)
    }
  }

  /// Issues a token to the client itself (RFC 6749 §4.4).
  func grant(client: RegisteredClient, scopes: [String], policy: TokenPolicy) -> Grant.IssuedTokens {
    state.withLock { state in
      state.grants.append(Grant(clientID: client.id, scopes: scopes, hasUser: false))
      return issue(&state, grant: state.grants.count - 1, scopes: scopes, policy: policy, replacing: nil)
    }
  }

  private func issue(
    _ state: inout State, grant: Int, scopes: [String], policy: TokenPolicy, replacing old: String?
  ) -> Grant.IssuedTokens {
    let access = "demo-at-" + randomText()
    state.accessTokens[access] = Grant.AccessToken(grant: grant, scopes: scopes, expiresAt: now() + policy.lifetime * 1000)
    var refresh: String?
    if state.grants[grant].hasUser, old == nil || policy.rotates {
      if let old { state.refreshTokens[old]?.isSpent = true }
      let new = "demo-rt-" + randomText()
      state.refreshTokens[new] = Grant.RefreshToken(grant: grant)
      refresh = new
    }
    return Grant.IssuedTokens(accessToken: access, refreshToken: refresh, scopes: scopes, lifetime: policy.lifetime)
  }

  /// Returns a valid access token with its grant.
  func living(accessToken: String) -> (token: Grant.AccessToken, grant: Grant)? {
    let now = now()
    return state.withLock { state in
      guard let token = state.accessTokens[accessToken], token.expiresAt > now, !state.grants[token.grant].isRevoked else { return nil }
      return (token, state.grants[token.grant])
    }
  }

  /// Returns the grant of a valid refresh token.
  func living(refreshToken: String) -> Grant? {
    state.withLock { state in
      guard let token = state.refreshTokens[refreshToken], !token.isSpent, !state.grants[token.grant].isRevoked else { return nil }
      return state.grants[token.grant]
    }
  }

  /// Revokes the whole grant of either token. An unknown token is not an error (RFC 7009 §2.2), another client's token is.
  func revoke(_ text: String, client: RegisteredClient) throws(OAuthError) {
    try state.withLock { state throws(OAuthError) in
      guard let grant = state.refreshTokens[text]?.grant ?? state.accessTokens[text]?.grant else { return }
      guard state.grants[grant].clientID == client.id else { throw .invalidGrant("the token was issued to another client") }
      state.grants[grant].isRevoked = true
    }
  }
}
