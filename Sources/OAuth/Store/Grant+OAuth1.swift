import OAuthCore

extension Grant {
  /// The token type of a signed token: the authentication scheme of its header (RFC 5849, 3.5.1).
  static let signedTokenType = "OAuth"

  /// Limits of the attributes: how many, and the bytes of a name and of a value. Members beyond them are ignored.
  private static let attributeLimit = (count: 32, name: 100, value: 2000)

  /// Returns the token and its secret for signing (RFC 5849, 3.4.2). RSA methods ignore the secret, which may then be empty.
  func signingToken() throws(OAuthFailure) -> OAuth1Token {
    guard let tokenSecret else { throw .unsupported("the account has no token that signs").of(account) }
    return OAuth1Token(token: try usableToken(), secret: tokenSecret)
  }

  /// Replaces the token credentials. Other members of the response become the account's attributes.
  mutating func take(_ credentials: TokenCredentials, at now: Instant) {
    accessToken = credentials.token.token
    tokenSecret = credentials.token.secret
    tokenType = Self.signedTokenType
    if unknownScopes != nil { unknownScopes = .untold }
    issued = now
    isRefreshRefused = false
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
