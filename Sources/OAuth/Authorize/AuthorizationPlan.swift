import OAuthCore

/// An authorize request with its provider, client and scopes settled.
struct AuthorizationPlan: Sendable {
  package var account: String
  var provider: Provider
  var client: Client
  var scopes: [String]
  var request: AuthorizationInput
  /// The subject that has to sign in; nil if any user may.
  var expectedSubject: String?
  /// The user of the account's current grant.
  var knownUser: KnownUser?
  /// Whether this page is opened because the previous one granted too little.
  var isSecondRound = false
  /// Whether the client registers itself with this sign-in or has done so before.
  var registersClient = false
  /// Unix seconds at which the registered client's secret expires.
  var clientSecretExpiresAt: Int?
  /// The account's grant if its client registered itself; nil if that client must not be used again.
  var registered: Grant?
  /// Whether the user types a code on another page, which sends no redirect.
  var usesDevice = false

  /// Settles the request. `stored` is the client's grant at this provider, if there is one.
  /// A stored client-credentials token makes the default flow `clientCredentials`.
  init(account: String, provider: Provider, client: Client, scopes: [String]?, beside stored: Grant? = nil, request: AuthorizationInput) {
    self.account = account
    self.provider = provider
    self.client = client
    self.request = request
    self.scopes = []
    registersClient = request.clientId == nil && (stored?.isClientRegistered ?? client.id.isEmpty) && Self.canRegister(with: provider)
    if self.request.redirectUri == nil, let stored, stored.client.id == client.id {
      self.request.redirectUri = stored.redirectUriToReuse(provider)
    }
    if registersClient, let stored, stored.isClientRegistered {
      registered = stored
      clientSecretExpiresAt = stored.clientSecretExpiresAt
    }
    if let stored, stored.client.id == client.id, let parameters = stored.clientParameters {
      // A caller that names provider and flow names all parameters.
      // A stored parameter that is missing in the request may have been removed on purpose.
      let isWhole = request.provider != nil && request.flow == .clientCredentials
      if request.flow == .auto { self.request.flow = .clientCredentials }
      if isForClient, !isWhole, request.parameters.pairs.isEmpty { self.request.parameters = parameters }
    }
    // The description's scopes are those for users.
    self.scopes = scopes ?? (isForClient ? [] : provider.request.scopes)
  }

  /// The resource that the token is for (RFC 8707): the caller's, else the description's.
  var resource: String? { request.parameters["resource"] ?? provider.request.resource }

  /// The caller's extra parameters, plus the description's resource if the caller names none.
  var parameters: [(name: String, value: String)] {
    guard request.parameters["resource"] == nil, let resource = provider.request.resource else { return request.parameters.pairs }
    return request.parameters.pairs + [(name: "resource", value: resource)]
  }

  /// Requires the grant's own user, and an ID token that names the user. Not every token response lists `openid` among the granted scopes.
  mutating func expect(_ grant: Grant) {
    expectedSubject = grant.subject
    if grant.idToken != nil, !scopes.contains("openid") { scopes.append("openid") }
  }

  /// Rejects a grant of a user other than the expected one. Scopes are never added to another user's grant.
  func checkUser(_ subject: String?) throws(OAuthFailure) {
    guard let expectedSubject else { return }
    guard let subject else {
      throw .untrusted("the provider did not say who signed in, so it cannot be told whether it was the account's user")
    }
    guard subject == expectedSubject else {
      throw Self.anotherUser
    }
  }

  static let anotherUser = OAuthFailure(
    .accessDenied, "another user signed in than the account's", details: [.init("reason", "anotherUser")])

  /// The scopes that a stored grant has to have. If its granted scopes are unknown, only those that the caller names count, not the description's.
  func scopes(askedOf grant: Grant) -> [String] { grant.unknownScopes == nil || request.scopes != nil ? scopes : [] }

  /// Whether a stored grant belongs to this provider, client and flow.
  func matches(_ grant: Grant) -> Bool {
    (grant.client.id == client.id || (registersClient && grant.isClientRegistered)) && grant.isOf(provider) && isOfFlow(grant)
  }

  /// Returns a grant of this account, provider and client with only these tokens.
  func grant(accessToken: Secret?, tokenType: String?, at now: Int) -> Grant {
    var grant = Grant(
      account: account, provider: provider.source, client: client, accessToken: accessToken, tokenType: tokenType, issuedAt: now)
    grant.providerName = provider.name
    grant.providerReference = provider.reference
    (grant.published, grant.publishedLimit) = (provider.published, provider.publishedLimit)
    grant.isClientRegistered = registersClient
    if registersClient { grant.clientSecretExpiresAt = clientSecretExpiresAt }
    grant.pinnedRedirectUri = usesDevice ? nil : request.redirectUri
    return grant
  }
}
