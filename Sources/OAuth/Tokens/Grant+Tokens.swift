import Crypto
import Jansson
import OAuthCore
import Plans
import Signatures
import Store

extension Grant {
  /// Takes the values of a token response. If it names no refresh token or no scopes, the old ones stay (RFC 6749, 6).
  /// A refresh token that may be used only once does not stay. `grantedScopes` are those before, or the requested ones of a sign-in.
  mutating func take(_ tokens: TokenRequest.Response) {
    accessToken = tokens.accessToken
    tokenType = tokens.tokenType
    let (time, now) = (tokens.issued, tokens.issued.sent)
    // A clock that is ahead, and is set right later, must not prolong a life. One that the lead has used up counts by this machine's clock alone.
    let end = tokens.expiry.end(from: now + -time.lead)
    isDatedAhead = time.lead > 0 && end.map { $0.seconds - now.seconds < Self.shortestUsefulLife } ?? false
    issued = isDatedAhead ? now : now + -time.lead
    expires = tokens.expiry.end(from: issued)
    (isRejected, doubtedAt, isUntried, importedAt) = (false, nil, false, nil)
    takeRefreshToken(of: tokens)
    // A new ID token is taken after its validation. Until then the stored one's own claims say when it expires.
    idTokenExpiresAt = nil
    if let scopes = tokens.scopes {
      // A refresh for another token may have narrowed the login.
      let names = ScopeNames(provider)
      lostScopes = (hasGivenOthers ? lostScopes + grantedScopes : []).filter {
        !names.isAny(of: $0, in: scopes + OtherTokenRequest.ofIdentity)
      }
      // Some providers do not list these scopes, although the tokens show that they are granted. A refresh names them again.
      let shown = [("openid", tokens.idToken ?? idToken), ("offline_access", refreshToken)].filter { scope, token in
        token != nil && grantedScopes.contains(scope) && !scopes.contains(scope)
      }
      (grantedScopes, unknownScopes) = (scopes + shown.map(\.0), nil)
    } else if unknownScopes != nil {
      unknownScopes = .notReported
    }
    attributes = attributes.merged(with: tokens.attributes)
  }

  /// Takes the refresh token of a response, which may be for another access token than the login's own, and what the next request needs with it.
  mutating func takeRefreshToken(of tokens: TokenRequest.Response) {
    if let key = tokens.dpopKey { dpopKey = key }
    if let way = tokens.clientAuthentication { remember(way) }
    keepsRefreshToken = refreshToken != nil && [nil, refreshToken].contains(tokens.refreshToken)
    if tokens.refreshToken != nil || provider["refreshTokenUse"] == "once" {
      refreshToken = tokens.refreshToken
      refreshTokenExpiresAt = nil
    } else if isPastRefreshing(at: tokens.issued.sent.seconds) {
      // The server has just accepted the refresh token. Its announced expiry was wrong.
      refreshTokenExpiresAt = nil
    }
    let begin = isDatedAhead ? tokens.issued.sent : tokens.issued.sent + -tokens.issued.lead
    if let end = tokens.refreshTokenExpiry.end(from: begin) { refreshTokenExpiresAt = end.seconds }
  }

  /// Stores the client authentication method that was found by probing.
  private mutating func remember(_ way: TokenOptions.ClientAuthentication) {
    provider = .object(ProviderCatalog.merge([.init("clientAuthentication", .string(way.rawValue))], over: provider.members ?? []))
  }

  /// Takes over an older grant's refresh token if this grant has none. Some providers issue one only with the first consent; `consentRetry` in the
  /// description marks them. Both ID tokens must name the same user, or a refresh would return another user's tokens.
  mutating func takeOverRefreshToken(of old: Grant, at now: Int) {
    guard refreshToken == nil, let subject, subject == old.subject, client.id == old.client.id, old.canRefresh(at: now),
      dpopKey == old.dpopKey
    else { return }
    guard let provider = try? resolvedProvider, !provider.request.consentRetry.pairs.isEmpty, old.isOf(provider) else { return }
    refreshToken = old.refreshToken
    refreshTokenExpiresAt = old.refreshTokenExpiresAt
  }

  /// Seconds for which a new token must be valid before its expiry triggers refreshes. A shorter-lived one would have every call refresh.
  private static let shortestUsefulLife = 2 * Grant.longestMargin

  /// Stores an ID token that has passed its checks, and its claims.
  mutating func take(_ token: Secret, _ claims: IDToken, _ time: IssueTime) {
    idToken = token
    subject = claims.subject
    email = claims.email ?? email
    idTokenExpiresAt = [claims.expiresAt, claims.expiresAt + time.lead].first { $0 - time.sent.seconds >= Self.shortestUsefulLife }
  }
}

// MARK: OAuth 1.0a
extension Grant {
  /// The token type of a signed token: the authentication scheme of its header (RFC 5849, 3.5.1).
  package static let signedTokenType = "OAuth"

  /// Limits of the attributes: how many, and the bytes of a name and of a value. Members beyond them are ignored.
  private static let attributeLimit = (count: 32, name: 100, value: 2000)

  /// Returns the token and its secret for signing (RFC 5849, 3.4.2). RSA methods ignore the secret, which may then be empty.
  /// For the consumer alone, both are empty.
  func signingToken() throws(OAuthFailure) -> OAuth1Token {
    guard let tokenSecret else { throw .unsupported("the account has no token to sign with").of(account) }
    return OAuth1Token(token: isForClient ? Secret("") : try usableToken(), secret: tokenSecret)
  }

  /// Replaces the token credentials. Other members of the response become the account's attributes.
  mutating func take(_ credentials: TokenCredentials, at now: Instant) {
    accessToken = credentials.token.token
    tokenSecret = credentials.token.secret
    tokenType = Self.signedTokenType
    if unknownScopes != nil { unknownScopes = .notReported }
    issued = now
    (isRejected, doubtedAt, importedAt) = (false, nil, nil)
    expires = credentials.expiresIn.map { now + Int($0) }
    if let handle = credentials.sessionHandle { sessionHandle = handle }
    if let seconds = credentials.authorizationExpiresIn { refreshTokenExpiresAt = now.seconds + Int(seconds) }
    if let address = credentials["email"], !address.isEmpty, Self.isAttribute(OAuth1Parameter("email", address)) { email = address }
    for member in credentials.extra where member.name != "email" && Self.isAttribute(member) {
      if let index = attributes.pairs.firstIndex(where: { $0.name == member.name }) {
        attributes.pairs[index].value = member.value
      } else if attributes.pairs.count < Self.attributeLimit.count {
        attributes.pairs.append((member.name, member.value))
      }
    }
  }

  private static func isAttribute(_ member: OAuth1Parameter) -> Bool {
    let isShort = member.name.utf8.count <= attributeLimit.name && member.value.utf8.count <= attributeLimit.value
    return isShort && !(member.name + member.value).utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}

extension OAuthFailure {
  /// Whether the server's refusal ends the grant. A client's own token has no login, but a refused token of its caller ends the stored one.
  /// A registered client that was deleted never returns.
  func ends(_ grant: Grant) -> Bool {
    switch refusal {
    case .login?: !grant.isForClient || grant.clientRequest?["subjectToken"] != nil
    case .client?: grant.isClientRegistered && !grant.isForClient
    case nil: false
    }
  }

  package static func notAllowed(_ url: URLParts, _ why: String, _ hosts: AllowedHosts) -> OAuthFailure {
    OAuthFailure(
      .hostNotAllowed, "the token must not be sent to \(url.hostAndPort): \(why)",
      details: [.init("host", .string(url.hostAndPort)), .init("allowed", .array(hosts.names.map { .string($0) }))])
  }
}

extension Client {
  /// A hash of the credentials, which shows whether they are others than before.
  var digest: String { Hexadecimal.encode(Array(SHA256.hash(data: Array([id, secret?.value, key?.stored?.line].description.utf8)))) }
}
