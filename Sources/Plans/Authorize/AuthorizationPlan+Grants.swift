import Jansson
import OAuthCore
import Signatures
import Store

/// Which grants serve the plan, and which grant a sign-in makes.
extension AuthorizationPlan {
  /// The provider with the client's id in the places that name it.
  package var filledProvider: Provider { get throws(OAuthFailure) { try provider.filled(with: .init(), client: client) } }

  /// Returns the values of the redirect that become the account's attributes.
  package func attributes(from parameters: [RedirectParameter]) -> NamedValues<String> {
    NamedValues(
      provider.request.callbackMembers.compactMap { name in
        parameters.first { $0.name == name }.flatMap { JSON.string($0.value).attributeText }.map { (name, $0) }
      })
  }

  // MARK: Stored grants

  /// The scopes that a stored grant has to have. If its granted scopes are unknown, only those that the caller names count, not the description's.
  package func scopes(askedOf grant: Grant) -> [String] { grant.unknownScopes == nil || namesScopes ? scopes : [] }

  /// Whether a stored grant belongs to this provider, client and flow.
  package func matches(_ grant: Grant) -> Bool {
    (grant.client.id == client.id || (registersClient && grant.isClientRegistered)) && grant.isOf(provider) && isOfFlow(grant)
  }

  /// Whether a stored grant was issued by the requested flow. A user's grant does not match the client's own, nor the reverse.
  /// A client's grant with other parameters, such as another `audience` or subject token, does not match either.
  private func isOfFlow(_ grant: Grant) -> Bool {
    switch request.flow {
    case .auto: true
    case .browser, .device: !grant.isForClient
    case .clientCredentials, .jwtBearer, .tokenExchange, .identityAssertion:
      grant.clientParameters.map { $0.json.sorted == request.parameters.json.sorted } == true
        && grant.clientRequest ?? ClientRequest() == request.clientRequest
    }
  }

  /// A declined scope does not cause a new sign-in unless scopes are being added.
  package func missing(of asked: [String], in grant: Grant) -> [String] {
    let names = Grant.ScopeNames(provider.source)
    return grant.missing(of: asked).filter { request.addsScopes || !names.isAny(of: $0, in: grant.declinedScopes) }
  }

  /// Whether the token is valid for long enough. A token without refresh is not used shortly before it expires if the user can sign in.
  package func accepts(lifeOf grant: Grant, at now: Instant) -> Bool {
    guard grant.isValid(at: now) else { return false }
    guard request.interaction != .never, !grant.canRefresh(at: now.seconds) else { return true }
    return grant.isValid(for: .seconds(provider.request.signInAgainWithin), at: now)
  }

  /// Returns the client with its current secret if the stored one has been replaced; the server would reject the old one.
  ///
  /// Returns nil if the secret is unchanged, or if the grant's provider would send it to other origins.
  package func client(newFor grant: Grant) throws(OAuthFailure) -> Client? { try client == grant.client ? nil : ownClient(for: grant) }

  /// Returns the client with its current secret; nil if that is the grant's, or if the grant's provider would send it to other origins, or have
  /// it sign for another server.
  package func ownClient(for grant: Grant) throws(OAuthFailure) -> Client? {
    guard hasSecretOfRequest || !client.configured.isEmpty, client.id == grant.client.id else { return nil }
    var own = try grant.resolvedProvider
    if client.certificate == nil, grant.client.certificate == nil { own.mtlsEndpoints = .init() }
    return own.sendsSecretsNowhereElse(than: provider) && own.signsNothingElse(than: provider, by: client) ? client : nil
  }

  // MARK: Open sign-ins

  /// Whether both plans have the same client and provider.
  package func isOfClient(of other: AuthorizationPlan) -> Bool {
    (client == other.client || (registersClient && other.registersClient)) && provider.source == other.provider.source
  }

  /// Whether a request with `other` can join this sign-in: its page is the same, and this sign-in asks for all of its scopes.
  ///
  /// Provider, client, redirect URI, flow and parameters (`login_hint`, `prompt`, `hd`, …) must be equal.
  package func isJoinable(by other: AuthorizationPlan) -> Bool {
    let (own, others) = (request.parameters, other.request.parameters)
    return isOfClient(of: other) && request.redirectUri == other.request.redirectUri && usesDevice == other.usesDevice
      && own.pairs.count == others.pairs.count && others.pairs.allSatisfy { own[$0.name] == $0.value }
      && other.scopes.allSatisfy { isAny(of: $0, in: scopes) }
  }

  /// Whether this request takes the place of the open sign-in `open`: with interaction `always`, that of the same client.
  ///
  /// Calls that step up for the same demand share one page. The newest call would otherwise cancel those before it.
  package func replaces(_ open: AuthorizationPlan) -> Bool {
    guard request.interaction == .always, open.isOfClient(of: self) else { return false }
    return !(request.addsScopes && open.request.addsScopes && open.request.interaction == .always && open.isJoinable(by: self))
  }

  /// Whether the list has the scope under any of its names.
  package func isAny(of scope: String, in scopes: [String]) -> Bool { Grant.ScopeNames(provider.source).isAny(of: scope, in: scopes) }

  // MARK: New grants

  /// Returns a grant of this account, provider and client with only these tokens.
  package func grant(accessToken: Secret?, tokenType: String?, at now: Int) -> Grant {
    var grant = Grant(
      account: account, provider: provider.source, client: client, accessToken: accessToken, tokenType: tokenType, issuedAt: now)
    (grant.providerName, grant.dpopKey) = (provider.name, dpopKey)
    grant.providerReference = provider.reference
    (grant.published, grant.publishedLimit) = (provider.published, provider.publishedLimit)
    grant.isClientRegistered = registersClient
    if registersClient { grant.clientSecretExpiresAt = clientSecretExpiresAt }
    grant.pinnedRedirectUri = usesDevice ? nil : request.redirectUri
    return grant
  }

  /// Returns the client's own grant without a token. The key of the stored one stays in use.
  package func clientGrant(replacing stored: Grant?) -> Grant {
    var grant = grant(accessToken: nil, tokenType: nil, at: stored?.issuedAt ?? 0)
    if bindsTokens { grant.dpopKey = stored.flatMap { matches($0) ? $0.dpopKey : nil } ?? SigningKey.newProofKey() }
    grant.clientParameters = request.parameters
    grant.clientRequest = request.clientRequest == ClientRequest() ? nil : request.clientRequest
    grant.clientScopes = scopes
    grant.grantedScopes = scopes
    return grant
  }

  // MARK: Users

  /// Rejects a grant of a user other than the expected one. Scopes are never added to another user's grant.
  package func checkUser(_ subject: String?) throws(OAuthFailure) {
    guard let expectedSubject else { return }
    guard let subject else {
      throw .untrusted("the provider did not name the user who signed in, so the process cannot compare them with the account's user")
    }
    guard subject == expectedSubject else { throw Self.anotherUser }
  }

  /// Rejects a grant that would replace another user's. Runs under the account's lock, because another process may have signed a user in meanwhile.
  package func checkUser(of grant: Grant, replacing previous: Grant?) throws(OAuthFailure) {
    guard request.interaction != .always, let previous, previous.isOfAnotherUser(than: grant) else { return }
    throw Self.anotherUser.with(\.advice, .anotherUser)
  }

  private static let anotherUser = OAuthFailure(
    .accessDenied, "a user other than the account's signed in", details: [.init("reason", "anotherUser")])
}

extension Grant {
  package func isOf(_ provider: Provider) -> Bool {
    guard let own = try? Provider.decode(self.provider) else { return false }
    return own.isSame(as: provider)
  }

  /// Whether both grants are of the same issuer and client, and of two users. A subject identifies a user only together with its issuer and, if it is
  /// pairwise, its client (OpenID Connect Core, 2 and 8). The issuer of an ID token may be one of many tenants of the described one.
  package func isOfAnotherUser(than other: Grant) -> Bool {
    guard client.id == other.client.id, let own = userClaims, let others = other.userClaims else { return false }
    let described = provider["issuer"]?.string
    let isSameIssuer = own.issuer == others.issuer || described != nil && described == other.provider["issuer"]?.string
    return isSameIssuer && own.subject != others.subject
  }

  /// The claims of the stored ID token, if they name the account's user. An imported grant may name its user in another way.
  package var userClaims: IDToken? {
    guard let idToken, let claims = try? IDToken(claims: JSONWebSignature(idToken).payload), claims.subject == subject else { return nil }
    return claims
  }
}
