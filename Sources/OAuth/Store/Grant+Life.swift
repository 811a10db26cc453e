import Jansson
import OAuthCore

extension Grant {
  /// Seconds before its expiry from which a token counts as expired, at most. A request needs time to reach the service.
  package static let longestMargin = 60

  /// Unix seconds.
  package var issuedAt: Int {
    get { issued.seconds }
    set { issued = Instant(seconds: newValue) }
  }

  /// Unix seconds; nil if the expiry is unknown.
  package var expiresAt: Int? {
    get { expires?.seconds }
    set { expires = newValue.map(Instant.init(seconds:)) }
  }

  /// Whether the access token is valid for more than `seconds`.
  /// Default: a minute, or a quarter of the lifetime if that is shorter. Otherwise a token of one minute would be refreshed at every use.
  /// A token without a known expiry is valid.
  package func isValid(for seconds: Int? = nil, at now: Instant) -> Bool {
    left(at: now).map { $0 > seconds.map { $0 * 1000 } ?? margin } ?? true
  }

  /// Returns the milliseconds until the access token expires; nil if the expiry is unknown.
  func left(at now: Instant) -> Int? { expires.map { $0.milliseconds - now.milliseconds } }

  /// Milliseconds.
  private var margin: Int {
    guard let expires else { return 0 }
    return min(Self.longestMargin * 1000, max(0, expires.milliseconds - issued.milliseconds) / 4)
  }

  // MARK: Identity

  /// Seconds for which a new ID token must be valid before its expiry triggers refreshes. A shorter-lived one would have every call refresh.
  private static let shortestUsefulLife = 2 * Grant.longestMargin

  /// Stores an ID token that has passed its checks, and its claims.
  mutating func take(_ token: Secret, _ claims: IDToken) {
    idToken = token
    subject = claims.subject
    email = claims.email ?? email
    idTokenExpiresAt = claims.expiresAt - issuedAt >= Self.shortestUsefulLife ? claims.expiresAt : nil
  }

  /// Whether the ID token expires within a minute and a refresh may bring another.
  ///
  /// Some providers return no ID token on refresh. The old one's expiry is then ignored, or every call would refresh.
  package func wantsIDToken(at now: Int) -> Bool {
    guard let idTokenExpiresAt, canRefresh(at: now) else { return false }
    return idTokenExpiresAt - now <= Grant.longestMargin
  }

  // MARK: OAuth 1.0a

  /// The token type of a signed token: the authentication scheme of its header (RFC 5849, 3.5.1).
  static let signedTokenType = "OAuth"

  /// Limits of the attributes: how many, and the bytes of a name and of a value. Members beyond them are ignored.
  private static let attributeLimit = (count: 32, name: 100, value: 2000)

  /// Returns the token and its secret for signing (RFC 5849, 3.4.2). RSA methods ignore the secret, which may then be empty.
  func signingToken() throws(OAuthFailure) -> OAuth1Token {
    guard let tokenSecret else { throw .unsupported("the account has no token to sign with").of(account) }
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

  // MARK: Hosts and scopes

  /// Returns the grant plus hosts that the configuration or the request named after the sign-in; nil if there are none.
  ///
  /// Otherwise a host added after an error would take effect only after the next sign-in.
  func naming(hostsOf provider: Provider) -> Grant? {
    var better = self
    // A description without a publication names all its hosts itself.
    better.publishedLimit?.name(provider.publishedLimit?.namedHosts ?? PublishedLimit.hosts(in: provider.source))
    guard better.publishedLimit != publishedLimit else { return nil }
    better.generation += 1
    return better
  }

  /// Scopes with two names (`scopeAliases`): the client requests them by one, and the provider grants them by the other.
  struct ScopeNames {
    private let aliases: [JSON.Member]

    /// `json` is the `scopeAliases` member of the provider's description.
    init(_ json: JSON?) { aliases = json?.members ?? [] }

    /// Returns the scope and its other names. The scope may be either of the two.
    func all(of scope: String) -> [String] {
      [scope] + aliases.filter { $0.name == scope }.compactMap(\.value.string) + aliases.filter { $0.value.string == scope }.map(\.name)
    }
  }
}

// A grant contains tokens, so these descriptions leave them out.

extension Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "Grant(\(account))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror {
    Mirror(self, children: ["account": account, "providerName": providerName, "generation": generation])
  }
}
