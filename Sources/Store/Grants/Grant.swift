import Jansson
import OAuthCore

/// The tokens of one account and everything needed to use and refresh them after a restart. Endpoints and client are those of the sign-in.
package struct Grant: Equatable, Sendable {
  package var account: String
  /// The provider's description as it was resolved.
  package var provider: JSON { didSet { decoded = DecodedDescription() } }
  package var providerName = "" { didSet { decoded = DecodedDescription() } }
  /// The preset or file that named the provider, with the caller's additions; nil if the caller sent the whole description.
  package var providerReference: JSON? { didSet { decoded = DecodedDescription() } }
  /// The provider's metadata document as fetched; nil without discovery.
  package var published: [JSON.Member]? { didSet { decoded = DecodedDescription() } }
  /// The narrowest network scope that requests to the endpoints in `published` may reach.
  package var publishedLimit: PublishedLimit? { didSet { decoded = DecodedDescription() } }
  package var client: Client { didSet { decoded = DecodedDescription() } }
  /// nil if the provider only identified the user and issued no access token (OpenID 2.0).
  package var accessToken: Secret?
  package var tokenType: String?
  /// OAuth 1.0a: the token's secret, which signs requests (RFC 5849, 2.3).
  package var tokenSecret: Secret?
  /// OAuth 1.0a: the handle that renews the token (OAuth Session 1.0 draft 1, 3).
  package var sessionHandle: Secret?
  package var refreshToken: Secret?
  /// Whether the last refresh left the refresh token as it was.
  package var keepsRefreshToken = false
  /// The private key that the tokens are bound to (RFC 9449), as PKCS#8 in PEM. All processes prove the same key, for as long as the login lives.
  package var dpopKey: Secret?
  package var idToken: Secret?
  /// When the ID token expires, if that is a reason to refresh. nil once a refresh has returned no new one.
  package var idTokenExpiresAt: Int?
  /// When the access token was received, and when it expires.
  package var issued: Instant
  package var expires: Instant?
  /// Whether this machine's clock was so far ahead of the server's that `issued` and `expires` count only while it stays so.
  package var isDatedAhead = false
  /// Unix seconds.
  package var refreshTokenExpiresAt: Int?
  package var grantedScopes: [String] = []
  /// Set if the granted scopes are unknown, for example in an imported grant. `grantedScopes` is then empty.
  package var unknownScopes: UnknownScopes?
  /// Scopes that the last sign-in requested and the provider did not grant. They alone trigger no new sign-in.
  package var declinedScopes: [String] = []
  /// Scopes that a service demanded and the user or the provider refused. A call asks for them no more until the next sign-in.
  package var refusedScopes: [String] = []
  package var redirectUri: String?
  /// The redirect URI that the caller named, which the account's next sign-in reuses; nil if the process chose one.
  package var pinnedRedirectUri: String?
  /// Set for the client's own token (RFC 6749, 4.4; RFC 7523; RFC 8693): the caller's extra parameters, which every renewal sends again.
  package var clientParameters: NamedValues<String>?
  /// What else that request says; nil for client credentials alone.
  package var clientRequest: ClientRequest?
  /// The requested scopes of that token. The granted ones may differ: `api.default` may return `read write`.
  package var clientScopes: [String]?
  package var subject: String?
  package var email: String?
  /// Whether the process registered the client for this grant (RFC 7591). Only that server knows such a client, and the process can register another.
  package var isClientRegistered = false
  /// Whether the server rejected the registered client. It is then used for no further sign-in.
  package var isClientForgotten = false
  /// When that client's secret expires, in Unix seconds (RFC 7591, 3.2.1); nil if it never expires.
  package var clientSecretExpiresAt: Int?
  /// What the provider reported about the user or the account besides the tokens, by name.
  package var attributes = NamedValues<String>() { didSet { decoded = DecodedDescription() } }
  /// The mark of a grant that the provider has ended, or whose refresh returned another user's tokens. It is neither refreshed nor handed out.
  package var isRejected = false { didSet { if !isRejected { rejection = nil } } }
  /// The provider's latest rejection; nil if there was none since the last token.
  package var rejection: Rejection?
  /// When a service rejected the access token without saying that it has ended, in Unix seconds. The next successful call ends that doubt.
  package var doubtedAt: Int?
  /// Whether no refresh has followed the sign-in. If the first one is rejected, the description or the client is the likely cause.
  package var isUntried = false
  /// Whether the access token is yet to be exchanged for a long-lived one.
  package var isShortLived = false
  /// Further tokens of the login, each for something else than its own. At most 16 and 64 KiB together.
  package var others: [OtherToken] = []
  /// Whether one of those tokens was ever asked for, and the scopes that the server has taken from the login at a refresh since.
  package var hasGivenOthers = false
  package var lostScopes: [String] = []
  /// Identifies the sign-in or import that created the grant. A refresh keeps it.
  package var login: String?
  /// When the grant was imported, in Unix seconds; nil once the provider has issued a token for it.
  package var importedAt: Int?
  /// Counts every change, which exposes the response to an outdated refresh.
  package var generation = 1
  /// The decoded provider description. Replaced whenever one of the members above that it depends on changes.
  package private(set) var decoded = DecodedDescription()

  /// Why the provider rejected the grant's token, and when.
  package struct Rejection: Sendable, Equatable {
    /// Unix seconds.
    package var at: Int
    /// Contains no secret.
    package var reason: String
    /// The text of a JSON object: what the next sign-in has to bring.
    package var claims: String?
    /// A hash of the credentials that the server rejected, after a service had rejected the access token. The login may work with others.
    package var client: String?

    package init(at: Int, reason: String, claims: String? = nil) { (self.at, self.reason, self.claims) = (at, reason, claims) }
  }

  /// Why the granted scopes are unknown.
  package enum UnknownScopes: String, StringEnum {
    /// The next refresh may report them.
    case notRefreshedYet = "unasked"
    /// The last refresh did not report them.
    case notReported = "untold"
  }

  package init(account: String, provider: JSON, client: Client, accessToken: Secret?, tokenType: String?, issuedAt: Int) {
    (self.account, self.provider, self.client) = (account, provider, client)
    (self.accessToken, self.tokenType, issued) = (accessToken, tokenType, Instant(seconds: issuedAt))
  }

  /// The preset that named the provider, as `authorize` and `importGrant` accept it; nil if the caller sent the whole description.
  package var preset: String? { provider["preset"]?.string }

  /// Returns the grant with another provider description, which may be decoded already.
  package func replacing(_ other: DecodedDescription.Replacement) -> Grant {
    var grant = self
    (grant.provider, grant.published, grant.publishedLimit) = (other.provider, other.published, other.publishedLimit)
    grant.decoded = other.decoded
    return grant
  }

  /// Whether the grant has a token for API calls. With OAuth 1.0a, its secret signs them; for the consumer alone, it is empty.
  package var hasToken: Bool { provider["protocol"] == "oauth1" ? tokenSecret != nil : accessToken != nil }

  /// Returns the access token; throws if the provider issued none.
  package func usableToken() throws(OAuthFailure) -> Secret {
    if let accessToken { return accessToken }
    let reason = isForClient ? "the client's key alone signs calls, and there is no" : "the provider named the user and issued no"
    throw .unsupported("\(reason) access token").of(account)
  }

  /// Returns the access token for a client that sends it itself. A bound token is useless without the key.
  package func bareToken() throws(OAuthFailure) -> Secret {
    guard dpopKey == nil else {
      throw .unsupported(
        "the account's token is bound to a key (DPoP), so it is of no use alone: use callAPI (call), or authorizeRequest (header), which also returns a proof"
      ).of(account)
    }
    return try usableToken()
  }

  /// Returns the scopes among `asked` that are not granted under any of their names.
  package func missing(of asked: [String]) -> [String] {
    let names = ScopeNames(provider)
    return asked.filter { !names.isAny(of: $0, in: grantedScopes) && !($0 == "offline_access" && refreshToken != nil) }
  }

  /// Returns the granted scopes that are not among `asked` under any of their names.
  package func granted(besides asked: [String]) -> [String] {
    let names = ScopeNames(provider)
    return grantedScopes.filter { !names.isAny(of: $0, in: asked) }
  }

  /// Scopes with several names: the client requests them by one, and the provider grants them by another.
  package struct ScopeNames {
    private let aliases: [JSON.Member]
    private let ignoresCase: Bool
    private let prefix: String?

    /// `description` is the provider's.
    package init(_ description: JSON) {
      aliases = description["scopeAliases"]?.members ?? []
      ignoresCase = description["scopeCase"] == "ignore"
      prefix = description["scopePrefix"]?.string
    }

    /// Returns whether the list has the scope under any of its names. The scope may be any of them.
    package func isAny(of scope: String, in scopes: [String]) -> Bool {
      let names =
        [scope] + aliases.filter { $0.name == scope }.compactMap(\.value.string) + aliases.filter { $0.value.string == scope }.map(\.name)
      let wanted = names.map(normalized)
      return scopes.contains { wanted.contains(normalized($0)) }
    }

    private func normalized(_ scope: String) -> String {
      let scope = ignoresCase ? scope.lowercased() : scope
      guard let prefix = ignoresCase ? prefix?.lowercased() : prefix, scope.hasPrefix(prefix) else { return scope }
      return String(scope.dropFirst(prefix.count))
    }
  }

  // MARK: Validity

  /// Seconds before its expiry from which a token counts as expired, at most. A request needs time to reach the service.
  package static let longestMargin = 60

  /// Seconds that a token's time of issue may lie in the future, since the clocks of two machines differ. If it lies further ahead, the clock was
  /// set back, and the expiry says nothing. A refresh corrects both times, so that a wrong clock causes only one.
  private static let longestLead = 300

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

  /// How long an access token must stay valid. It is never more than a part of the lifetime, or a new token would be too old at once.
  package enum Validity: Sendable, Equatable {
    /// The process sends the token now.
    case use
    /// Another program gets the token and holds it until it asks again: google-auth rejects one with less than 225 s left, azure-core asks from
    /// 300 s on, and agents keep it for 300 s.
    case handOut
    case seconds(Int)

    package var isAsked: Bool { if case .seconds = self { true } else { false } }

    /// Milliseconds, as is `lifetime`.
    func margin(of lifetime: Int) -> Int {
      switch self {
      case .use: min(Grant.longestMargin * 1000, lifetime / 4)
      case .handOut: min(300_000, lifetime / 4)
      case .seconds(let seconds): min(seconds * 1000, lifetime / 2)
      }
    }
  }

  /// Whether the access token stays valid for longer than `validity` says.
  /// A token without an expiry is valid. A token of the future is not, unless there is no way to renew it. A marked grant's never is.
  package func isValid(for validity: Validity = .use, at now: Instant) -> Bool {
    if isRejected { return false }
    let isOfFuture = issued.milliseconds > now.milliseconds + (isDatedAhead ? 0 : Self.longestLead * 1000)
    if isOfFuture, canRefresh(at: now.seconds) { return false }
    return left(at: now).map { $0 > validity.margin(of: max(0, $0 + now.milliseconds - issued.milliseconds)) } ?? true
  }

  /// Whether the announced expiry of the access token has passed.
  package func isExpired(at now: Instant) -> Bool { left(at: now).map { $0 <= 0 } ?? false }

  /// Returns the milliseconds until the access token expires; nil if the expiry is unknown.
  package func left(at now: Instant) -> Int? { expires.map { $0.milliseconds - now.milliseconds } }
}

/// A grant contains tokens, so these descriptions leave them out.
extension Grant: Confidential {
  package var description: String { "Grant(\(account))" }
  package var customMirror: Mirror { Mirror(self, children: ["account": account, "providerName": providerName, "generation": generation]) }
}
