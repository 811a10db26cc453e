import Jansson

/// What a provider gave for an account, and what is needed to use and refresh it after a restart: endpoints and client as they were when it was given.
package struct Grant: FieldReadable, Answer, Equatable {
  package static var sample: Grant {
    Grant(account: "", provider: .object([]), client: Client(id: ""), accessToken: Secret(""), tokenType: "", issuedAt: 0)
  }

  package var account: String
  /// The provider's description as it was resolved.
  package var provider: JSON { didSet { decoded = DecodedDescription() } }
  package var providerName = "" { didSet { decoded = DecodedDescription() } }
  /// The preset or file that it was named by, with what was said beside it; nil where it was described whole.
  package var providerReference: JSON? { didSet { decoded = DecodedDescription() } }
  /// What the provider's server published about itself, as it was fetched; nil where nothing was discovered, and in grants of earlier versions.
  package var published: [JSON.Member]? { didSet { decoded = DecodedDescription() } }
  /// How far inside requests to the places in `published` may lead.
  package var publishedLimit: PublishedLimit? { didSet { decoded = DecodedDescription() } }
  package var client: Client { didSet { decoded = DecodedDescription() } }
  /// nil where the provider said who somebody is and gave nothing to call an API with (OpenID 2.0).
  package var accessToken: Secret?
  package var tokenType: String?
  /// OAuth 1.0a: the other half of the token, which signs (RFC 5849, 2.3).
  package var tokenSecret: Secret?
  /// OAuth 1.0a: what renews the token (OAuth Session 1.0 draft 1, 3).
  package var sessionHandle: Secret?
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// When the ID token ends, as long as that is a reason to refresh; nil where refreshing has brought no new one.
  package var idTokenExpiresAt: Int?
  /// When the access token came, and when it ends.
  package var issued: Instant
  package var expires: Instant?
  /// Unix seconds.
  package var refreshTokenExpiresAt: Int?
  package var grantedScopes: [String] = []
  /// Set where nobody has said what was granted, as with a grant that another program had; then `grantedScopes` is empty.
  package var unknownScopes: UnknownScopes?
  /// Scopes that were asked for at the last sign-in and not granted; they do not by themselves ask again.
  package var declinedScopes: [String] = []
  package var redirectUri: String?
  /// The redirect URI that the caller named, which the next sign-in of the account reuses; nil where the process chose one.
  package var pinnedRedirectUri: String?
  /// Set where the token was given to the client itself (RFC 6749, 4.4): the caller's extra parameters, with which the next one is asked for.
  package var clientParameters: NamedValues<String>?
  /// The scopes beside them, which need not be what was granted: `api.default` may bring `read write`.
  package var clientScopes: [String]?
  package var subject: String?
  package var email: String?
  /// Whether the client registered itself for this grant (RFC 7591); then nobody but its server knows it, and another one can be had.
  package var isClientRegistered = false
  /// Whether the server rejected that client, which then asks for no further grant.
  package var isClientForgotten = false
  /// When the secret of that client ends, in Unix seconds (RFC 7591, 3.2.1); nil if it does not.
  package var clientSecretExpiresAt: Int?
  /// What the provider told of the user or the account beside the tokens, by name.
  package var attributes = NamedValues<String>() { didSet { decoded = DecodedDescription() } }
  /// Set when the provider refused the refresh token: the grant is kept for what it knows, but it cannot be refreshed any more.
  package var isRefreshRefused = false
  /// Whether the access token is yet to be exchanged for a long-lived one.
  package var isShortLived = false
  /// Names the sign-in or import that brought the grant; refreshes keep it. nil in grants of earlier versions.
  package var login: String?
  /// Counts every change, so that an answer to an outdated refresh is recognised.
  package var generation = 1
  /// What the members above that describe the provider mean; another one as soon as one of them changes.
  private(set) var decoded = DecodedDescription()

  /// Why it is not known what was granted.
  package enum UnknownScopes: String, FieldWord {
    /// The next refresh may tell.
    case unasked
    /// A refresh has told nothing.
    case untold
  }

  package init(account: String, provider: JSON, client: Client, accessToken: Secret?, tokenType: String?, issuedAt: Int) {
    self.account = account
    self.provider = provider
    self.client = client
    self.accessToken = accessToken
    self.tokenType = tokenType
    issued = Instant(seconds: issuedAt)
  }

  package init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.required("account", "The name under which the grant is kept.")
    provider = GrantDescription.joined(
      try fields.required("provider", "The provider's description as it was resolved."),
      try fields.optional("providerAdditions", "Its members that the first release does not know."))
    providerName = try fields.optional("providerName", "The provider's name.") ?? ""
    let reference: JSON? = try fields.optional("providerReference", "The preset or file that it was named by.")
    providerReference = reference.map(GrantDescription.withoutRemoved)
    let published: JSON? = try fields.optional("published", "What its server published about itself.")
    self.published = published?.members
    let scope: NetworkScope? = try fields.optional("publishedScope", "How far inside that server was.")
    let named: [String] = try fields.optional("namedHosts", "The hosts that the description names beside it.") ?? []
    publishedLimit = scope.map { PublishedLimit(scope: $0, namedHosts: named) }
    client = Client(
      id: try fields.required("clientId", "The client that the grant was given to."),
      secret: try fields.optional("clientSecret", "Its secret."))
    accessToken = try fields.optional("accessToken", "The access token.")
    tokenType = try fields.optional("tokenType", "How the access token is presented.")
    tokenSecret = try fields.optional("tokenSecret", "OAuth 1.0a: the token's secret.")
    sessionHandle = try fields.optional("sessionHandle", "OAuth 1.0a: what renews the token.")
    refreshToken = try fields.optional("refreshToken", "The refresh token.")
    idToken = try fields.optional("idToken", "The ID token.")
    idTokenExpiresAt = try fields.optional("idTokenExpiresAt", "When the ID token ends, where a refresh may replace it.")
    issued = Instant(seconds: try fields.required("issuedAt", "When the access token came."))
    issued.milliseconds += try fields.optional("issuedMilliseconds", in: 0...999, "The milliseconds beside it.") ?? 0
    let end: Int? = try fields.optional("expiresAt", "When it ends.")
    expires = end.map(Instant.init(seconds:))
    expires?.milliseconds += try fields.optional("expiresMilliseconds", in: 0...999, "The milliseconds beside it.") ?? 0
    refreshTokenExpiresAt = try fields.optional("refreshTokenExpiresAt", "When the refresh token ends.")
    grantedScopes = try fields.optional("grantedScopes", "What was granted.") ?? []
    unknownScopes = try fields.optional("unknownScopes", "Whether it is unknown what was granted.")
    declinedScopes = try fields.optional("declinedScopes", "What was asked for and not granted.") ?? []
    redirectUri = try fields.optional("redirectUri", "The redirect URI of the sign-in.")
    pinnedRedirectUri = try fields.optional("pinnedRedirectUri", "The redirect URI that the caller of the sign-in named.")
    clientParameters = try fields.optional("clientParameters", "What a token for the client itself was asked for with.")
    clientScopes = try fields.optional("clientScopes", "The scopes that it was asked for with.")
    subject = try fields.optional("subject", "Who signed in.")
    email = try fields.optional("email", "Their address.")
    attributes = try fields.optional("attributes", "What else the provider told of them.") ?? .init()
    isClientRegistered = try fields.optional("isClientRegistered", "Whether the client registered itself.") ?? false
    isClientForgotten = try fields.optional("isClientForgotten", "Whether the server rejected that client.") ?? false
    clientSecretExpiresAt = try fields.optional("clientSecretExpiresAt", "When that client's secret ends.")
    isRefreshRefused = try fields.optional("isRefreshRefused", "Whether the refresh token was refused.") ?? false
    isShortLived = try fields.optional("isShortLived", "Whether the access token is yet to be exchanged for a long-lived one.") ?? false
    login = try fields.optional("login", "Names the sign-in or import that brought the grant.")
    generation = try fields.optional("generation", "Counts every change.") ?? 1
  }

  package func list(_ members: inout Members) {
    members.add("account", account, "")
    let description = GrantDescription.parts(of: provider)
    members.add("provider", description.first, "")
    members.add(optional: "providerAdditions", description.later, "")
    members.add("providerName", providerName, "")
    members.add(optional: "providerReference", providerReference, "")
    members.add(optional: "published", published.map(JSON.object), "")
    members.add(optional: "publishedScope", publishedLimit?.scope, "")
    members.add(optional: "namedHosts", publishedLimit?.namedHosts, "")
    members.add("clientId", client.id, "")
    members.add(optional: "clientSecret", client.secret, "")
    members.add(optional: "accessToken", accessToken, "")
    members.add(optional: "tokenType", tokenType, "")
    members.add(optional: "tokenSecret", tokenSecret, "")
    members.add(optional: "sessionHandle", sessionHandle, "")
    members.add(optional: "refreshToken", refreshToken, "")
    members.add(optional: "idToken", idToken, "")
    members.add(optional: "idTokenExpiresAt", idTokenExpiresAt, "")
    members.add("issuedAt", issuedAt, "")
    if issued.milliseconds % 1000 > 0 { members.add("issuedMilliseconds", issued.milliseconds % 1000, "") }
    members.add(optional: "expiresAt", expiresAt, "")
    if let rest = expires.map({ $0.milliseconds % 1000 }), rest > 0 { members.add("expiresMilliseconds", rest, "") }
    members.add(optional: "refreshTokenExpiresAt", refreshTokenExpiresAt, "")
    members.add("grantedScopes", grantedScopes, "")
    members.add(optional: "unknownScopes", unknownScopes, "")
    members.add("declinedScopes", declinedScopes, "")
    members.add(optional: "redirectUri", redirectUri, "")
    members.add(optional: "pinnedRedirectUri", pinnedRedirectUri, "")
    members.add(optional: "clientParameters", clientParameters, "")
    members.add(optional: "clientScopes", clientScopes, "")
    members.add(optional: "subject", subject, "")
    members.add(optional: "email", email, "")
    if !attributes.pairs.isEmpty { members.add("attributes", attributes, "") }
    if isClientRegistered { members.add("isClientRegistered", isClientRegistered, "") }
    if isClientForgotten { members.add("isClientForgotten", isClientForgotten, "") }
    members.add(optional: "clientSecretExpiresAt", clientSecretExpiresAt, "")
    members.add("isRefreshRefused", isRefreshRefused, "")
    if isShortLived { members.add("isShortLived", isShortLived, "") }
    members.add(optional: "login", login, "")
    members.add("generation", generation, "")
  }

  /// The preset that its provider was named by, which authorize and importGrant take; nil where it was described whole.
  package var preset: String? { provider["preset"]?.string }

  /// The same with another description of its provider, of which something may have been worked out already.
  func replacing(_ other: DecodedDescription.Replacement) -> Grant {
    var grant = self
    (grant.provider, grant.published, grant.publishedLimit) = (other.provider, other.published, other.publishedLimit)
    grant.decoded = other.decoded
    return grant
  }

  /// Whether there is a token to call an API with; one that signs has to have its other half.
  package var hasToken: Bool { accessToken != nil && (provider["protocol"] != "oauth1" || tokenSecret != nil) }

  /// The access token, or why there is none to use.
  package func usableToken() throws(OAuthFailure) -> Secret {
    guard let accessToken else { throw .unsupported("the provider said who the account is and gave no access token").of(account) }
    return accessToken
  }

  /// Scopes among `asked` that are not granted, under whichever of their names.
  package func missing(of asked: [String]) -> [String] {
    let names = ScopeNames(provider["scopeAliases"])
    return asked.filter { scope in !names.all(of: scope).contains { grantedScopes.contains($0) } }
  }

  /// Scopes that are granted and not among `asked`, under whichever of their names.
  func granted(beside asked: [String]) -> [String] {
    let names = ScopeNames(provider["scopeAliases"])
    return grantedScopes.filter { scope in !names.all(of: scope).contains { asked.contains($0) } }
  }
}
