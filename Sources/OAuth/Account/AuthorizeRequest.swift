import Jansson

/// What `authorize` is asked, with what the configuration knows of the account already filled in.
package struct AuthorizeRequest: Sendable {
  /// Which way the sign-in goes.
  package enum Flow: String, FieldWord { case auto, browser, device, clientCredentials }

  /// Whether a page may be shown.
  package enum Interaction: String, FieldWord { case ifNeeded, never, always }

  package var account: String?
  package var provider: ProviderReference?
  package var clientId: String?
  package var clientSecret: Secret?
  /// The key for a provider whose description has none.
  package var privateKey: Secret?
  package var scopes: [String]?
  package var flow = Flow.auto
  package var redirectUri: String?
  package var opensBrowser = true
  package var interaction = Interaction.ifNeeded
  package var waits = true
  /// Seconds until a sign-in is given up.
  package var timeout = 300
  package var parameters = NamedValues<String>()
  /// Names of those that nobody asked for but that help: a page without them does as well.
  package var impliedParameters: Set<String> = []
  /// Values for {names} in the provider's description.
  package var variables = NamedValues<String>()
  /// Whether scopes are added to a grant: what was declined before is asked for again, and only the grant's own user may say yes.
  package var addsScopes = false
  /// The id of the request.
  package var cause: JSON?

  package init() {}
}

/// An authorize request with its provider, client and scopes settled.
struct AuthorizeSetup: Sendable {
  var account: String
  var provider: Provider
  var client: Client
  var scopes: [String]
  var request: AuthorizeRequest
  /// Who has to sign in, where it must not be anybody else.
  var expectedSubject: String?
  /// The user of the grant that the account has already.
  var knownUser: KnownUser?
  /// Whether this page is asked for because the one before brought less than was wanted.
  var isSecondRound = false
  /// Whether the client is yet to be registered, or was by itself.
  var registersClient = false
  /// When the registered client's secret ends, in Unix seconds.
  var clientSecretExpiresAt: Int?
  /// The account's grant, where its client registered itself; nil where that client is not to be used again.
  var registered: Grant?
  /// Whether somebody types a code elsewhere instead of coming back with a redirect.
  var usesDevice = false

  /// `stored` is the client's grant of the provider, where there is one: a token of the client's own is followed by another where nothing else is said.
  init(account: String, provider: Provider, client: Client, scopes: [String]?, beside stored: Grant? = nil, request: AuthorizeRequest) {
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
      // Who says the provider and the flow says all of it: what stood among the parameters yesterday may have been taken out.
      let isWhole = request.provider != nil && request.flow == .clientCredentials
      if request.flow == .auto { self.request.flow = .clientCredentials }
      if isForClient, !isWhole, request.parameters.pairs.isEmpty { self.request.parameters = parameters }
    }
    // The scopes that a description knows are what users are asked for.
    self.scopes = scopes ?? (isForClient ? [] : provider.request.scopes)
  }

  /// The resource that the token is to be for (RFC 8707): the caller's, else the description's.
  var resource: String? { request.parameters["resource"] ?? provider.request.resource }

  /// The caller's extra parameters, and the description's resource where none is among them.
  var parameters: [(name: String, value: String)] {
    guard request.parameters["resource"] == nil, let resource = provider.request.resource else { return request.parameters.pairs }
    return request.parameters.pairs + [(name: "resource", value: resource)]
  }

  /// Wants the grant's own user to sign in again, and to be told who did: not every answer lists `openid` among what is granted.
  mutating func expect(_ grant: Grant) {
    expectedSubject = grant.subject
    if grant.idToken != nil, !scopes.contains("openid") { scopes.append("openid") }
  }

  /// Refuses a grant of another user than the one who has to sign in, so that scopes are never added to somebody else's grant.
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

  /// The scopes that a stored grant has to have: of one of which nobody knows what was granted, those that the caller names and no usual ones.
  func scopes(askedOf grant: Grant) -> [String] { grant.unknownScopes == nil || request.scopes != nil ? scopes : [] }

  /// Whether a stored grant is of this provider and client; another one's is none.
  func matches(_ grant: Grant) -> Bool {
    (grant.client.id == client.id || (registersClient && grant.isClientRegistered)) && grant.isOf(provider) && isOfFlow(grant)
  }

  /// A grant of this account, provider and client with these tokens and nothing else yet.
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

extension Grant {
  /// The redirect URI that is registered for the client. A grant of an earlier version does not say which one its caller named: a loopback address
  /// counts where the provider wants its port registered.
  func redirectUriToReuse(_ provider: Provider) -> String? {
    if let pinnedRedirectUri { return pinnedRedirectUri }
    guard let redirectUri, provider.redirect.redirectPolicy == .pinnedPort, provider.redirect.redirectPorts.isEmpty else { return nil }
    return redirectUri
  }

  func isOf(_ provider: Provider) -> Bool {
    guard let own = try? Provider.decode(self.provider) else { return false }
    return own.isSame(as: provider)
  }
}

extension Provider {
  /// Whether a grant of one is a grant of the other.
  package func isSame(as other: Provider) -> Bool {
    protocolName == other.protocolName && authorizationEndpoint == other.authorizationEndpoint
      && tokenEndpoint == other.tokenEndpoint && oauth1.accessTokenEndpoint == other.oauth1.accessTokenEndpoint
      // A token for one resource is none for another of the same server (RFC 8707).
      && request.authorizationParameters["resource"] == other.request.authorizationParameters["resource"]
      && openid.openidEndpoint == other.openid.openidEndpoint && openid.openidIdentifier == other.openid.openidIdentifier
  }
}
