import HTTP
import Jansson
import OAuthCore
import Store

/// What is requested: account, provider, client, scopes and flow. `Planner` decides it once for each request.
package struct AuthorizationPlan: Sendable {
  package let account: String
  package var provider: Provider
  package var client: Client
  package var scopes: [String]
  /// The request, completed from the account's entry and the stored grant.
  package var request = AuthorizationInput()
  /// The account's grant, of any provider, as it was read for the plan.
  package private(set) var stored: Grant?
  /// Whether the client registers itself with this sign-in or has done so before.
  package private(set) var registersClient = false
  /// The account's grant if its client registered itself; nil if that client must not be used again.
  package var registered: Grant?
  /// Unix seconds at which the registered client's secret expires.
  private(set) var clientSecretExpiresAt: Int?
  /// The subject that has to sign in; nil if any user may.
  package var expectedSubject: String?
  /// The bytes for state, verifier and nonce; empty for random ones.
  package var seed: [UInt8] = []
  /// The key that the tokens of this sign-in are bound to (RFC 9449).
  package var dpopKey: Secret?
  /// Whether they are bound to a key.
  package var bindsTokens: Bool { provider.token.dpop && provider.protocolName == .oauth2 }
  /// Whether this page is opened because the previous one granted too little.
  package var isSecondRound = false
  /// Whether the user types a code on another page, which sends no redirect.
  package private(set) var usesDevice = false

  /// Whether the caller or the configuration names the scopes, or those of the account's grant are taken.
  package var namesScopes: Bool { request.scopes != nil }
  /// Whether the client's secret came with this request. If the server rejects it, the stored grant is not marked as rejected.
  package var hasSecretOfRequest: Bool { !request.credentials.isEmpty }

  /// Completes the request from `own`, the stored grant if it is of this provider. A token for the client itself in it makes the default flow that of
  /// the token. With `namesAllParameters`, the caller names all parameters of that flow: a stored one that is missing may have been removed on purpose.
  mutating func complete(from own: Grant?, namesAllParameters: Bool) {
    if let own, own.client.id == client.id {
      request.redirectUri = request.redirectUri ?? own.pinnedRedirectUri
      if let parameters = own.clientParameters {
        let storedRequest = own.clientRequest ?? ClientRequest()
        if request.flow == .auto {
          request.flow = AuthorizationInput.Flow(rawValue: storedRequest.flow.rawValue) ?? .clientCredentials
          request.clientRequest.flow = storedRequest.flow
        }
        if request.clientRequest.flow == storedRequest.flow, request.flow.isForClient, !namesAllParameters {
          if request.parameters.pairs.isEmpty { request.parameters = parameters }
          if request.clientRequest.firstMember == nil, request.sources.isEmpty { request.clientRequest = storedRequest }
        }
      }
    }
    if registersClient, let own, own.isClientRegistered { (registered, clientSecretExpiresAt) = (own, own.clientSecretExpiresAt) }
    // The description's scopes are those for users.
    if !namesScopes, !request.flow.isForClient { scopes = provider.request.scopes }
  }

  /// Returns the name of the account that the request is for; nil if it names neither an account nor a provider.
  package static func account(of input: AuthorizationInput, _ catalog: ProviderCatalog) throws -> String? {
    if let account = input.account { return account }
    guard let reference = input.provider else { return nil }
    if let preset = reference.presetName { return preset }
    do throws(OAuthFailure) {
      return try catalog.written(reference, input.variables ?? .init()).account
    } catch {
      throw input.blaming(error, configuration: nil)
    }
  }

  /// Returns the plan for a sign-in that replaces `latest`, the account's current grant. `hasBrowser` tells whether a browser could be started.
  ///
  /// It chooses the flow, and requests the granted scopes as well, because a new grant replaces the old one and its scopes.
  /// Throws before a page is opened if the provider does not support the flow.
  package func forSignIn(replacing latest: Grant?, at now: Int, hasBrowser: @autoclosure () -> Bool) throws -> AuthorizationPlan {
    if lacksClient { throw Self.missingClient(of: provider) }
    var plan = self
    switch request.flow {
    case .browser: break
    case .auto:
      // A caller that opens the page or catches the redirect itself has a browser.
      plan.usesDevice = hasDeviceEndpoint && request.opensBrowser && !request.namesRedirect && !hasBrowser()
    case .device:
      guard hasDeviceEndpoint else { throw Self.noDeviceEndpoint.of(account) }
      plan.usesDevice = true
    case .clientCredentials, .jwtBearer, .tokenExchange, .identityAssertion: try checkClient()
    }
    if registersClient, [.privateKeyJwt, .clientSecretJwt].contains(provider.token.clientAuthentication) {
      throw OAuthFailure.unsupported(
        "the provider accepts only clients that sign assertions (private_key_jwt, client_secret_jwt), which do not register themselves: "
          + "register one with a key, and name it as clientId with its privateKey"
      ).of(account)
    }
    plan.demand(request.demandedClaims)
    plan.stored = latest
    guard let latest else { return plan }
    if registered != nil { plan.registered = latest.isClientRegistered ? latest : nil }
    // The client secret is needed when the sign-in ends.
    if let end = clientSecretExpiresAt, end < now + request.timeout { plan.registered = nil }
    guard matches(latest) else { return plan }
    plan.demand(latest.rejection?.claims)
    plan.scopes += latest.granted(besides: scopes)
    if request.addsScopes {
      plan.expectedSubject = latest.subject
      // Not every token response lists `openid` among the granted scopes, and only an ID token names the user.
      if latest.idToken != nil, !plan.scopes.contains("openid") { plan.scopes.append("openid") }
    }
    return plan
  }

  /// Adds claims to the caller's, or to those of the description. A demanded claim wins, because a sign-in without it is useless.
  private mutating func demand(_ claims: String?) {
    guard let claims, let demanded = (try? JSON.parse(Array(claims.utf8)))?.members else { return }
    let own = request.parameters["claims"] ?? provider.request.authorizationParameters["claims"]
    let merged = ProviderCatalog.merge(demanded, over: own.flatMap { try? JSON.parse(Array($0.utf8)) }?.members ?? [])
    request.parameters.pairs.removeAll { $0.name == "claims" }
    request.parameters.pairs.append((name: "claims", value: JSON.object(merged).line))
  }

  private var hasDeviceEndpoint: Bool { provider.protocolName == .oauth2 && provider.deviceAuthorizationEndpoint != nil }

  package static let noDeviceEndpoint = OAuthFailure.unsupported(
    "the provider's description has no deviceAuthorizationEndpoint, so the flow must be another one")

  /// Rejects a plan that would send the client's secret to a place other than before. A resource whose metadata names another server
  /// than when the grant was issued would otherwise get the secret. A user who wants the new place signs the account out.
  package func checkPlaces() throws(OAuthFailure) {
    if let change = issuerChange, !client.id.isEmpty, client.id == stored?.client.id, !hasDocument {
      throw OAuthFailure.misconfigured(
        "/clientId",
        "the client \(client.id.plain) is of the issuer \(change.previous), and the API names \(change.current) now: name a client of the new issuer, "
          + "or, if this one is known there, sign the account out and in again")
    }
    let isSensitive = client.hasCredential || !request.sources.isEmpty
    guard isSensitive, let url = provider.discovery, let stored, stored.client.id == client.id, isFoundAgain else { return }
    guard !provider.sendsSecretsNowhereElse(than: try stored.resolvedProvider) else { return }
    throw OAuthFailure.untrusted(
      "the metadata of \((try? URLParts(url))?.shown ?? "the provider") now names endpoints that have never received the client's secret: "
        + "if that is right, sign the account out and in again")
  }

  /// Whether a client can be registered with the provider. With a preset, a missing client is a mistake of the caller.
  package static func canRegister(with provider: Provider) -> Bool {
    provider.protocolName == .oauth2 && provider.registrationEndpoint != nil && provider.preset == nil
  }

  /// Whether a document of metadata is the client. Its URL is the client's ID at every server.
  package var hasDocument: Bool { client.id.hasPrefix("https://") }

  /// Whether a sign-in needs a client, and there is none.
  package var lacksClient: Bool { client.id.isEmpty && provider.needsClient && !registersClient && !request.flow.mayLackClient }

  static func missingClient(of provider: Provider) -> FieldError {
    var message = ": neither the request, the configuration nor a stored grant names one"
    if provider.registrationEndpoint == nil { message += ", and \(provider.name) has no registration endpoint" }
    let port = provider.redirect.redirectPolicy == .anyPort ? "" : ":PORT"
    let redirect = provider.redirect.loopbackUri.map { " with the redirect URI \($0.replacing(":PORT", with: port))" } ?? ""
    message += provider.shownRegistrationPage.map { "; register one\(redirect) at \($0)" } ?? "; register one\(redirect) with the provider"
    return .missing("/clientId", message)
  }

  /// The grant whose registered client can be used again: its secret is available and it has requested these scopes before.
  private var reusable: Grant? {
    guard registersClient, let grant = registered, grant.client == client, !grant.isClientForgotten else { return nil }
    return grant.missing(of: scopes).allSatisfy { isAny(of: $0, in: grant.declinedScopes) } ? grant : nil
  }

  /// Returns the failure of a sign-in. No user knows a client that registered itself.
  package func namingRegistration(_ failure: OAuthFailure) -> OAuthFailure {
    registersClient && failure.serverError?.isAboutClient == true ? failure.with(\.advice, .registersAgain) : failure
  }

  /// Whether the next sign-in registers the client.
  package var isUnregistered: Bool { registersClient && registered?.isClientForgotten != false }

  /// Returns the plan with the method by which the registered client authenticates.
  package var ofRegisteredClient: AuthorizationPlan {
    let way = registered?.provider["clientAuthentication"]?.string.flatMap(TokenOptions.ClientAuthentication.init)
    return way.map(authenticating) ?? self
  }

  /// Whether the registered client of the account's grant can be used with this redirect URI.
  /// Servers compare it, including the port, with the registered one.
  package func reusesClient(for redirectUri: String?) -> Bool { reusable.map { $0.redirectUri == redirectUri } ?? false }

  /// Returns the address with the port of the registered client first.
  package func preferringRegisteredPort(_ address: LoopbackAddress) -> LoopbackAddress {
    guard address.ports == [0], let url = reusable?.redirectUri.flatMap({ try? URLParts($0) }), url.scheme == "http",
      url.host == address.host.rawValue, url.path == address.path, let port = url.explicitPort.flatMap({ UInt16(exactly: $0) })
    else { return address }
    var address = address
    address.ports = [port, 0]
    return address
  }

  /// Returns the plan with the account's registered client, or with a new one for this redirect URI, which the grant stores (RFC 7591).
  package func registered(redirectUri: String?, http: any HTTPClient) async throws -> AuthorizationPlan {
    guard registersClient else { return self }
    if reusesClient(for: redirectUri) { return ofRegisteredClient }
    let provider = try filledProvider
    guard let request = RegistrationRequest.httpRequest(provider, redirectUri: redirectUri, scopes: scopes) else { return self }
    let registration = try RegistrationRequest.Response(try await http.exchange(request, to: provider), provider)
    var plan = self
    plan.client = registration.client
    plan.clientSecretExpiresAt = registration.secretExpiresAt
    return plan.authenticating(registration.clientAuthentication)
  }

  package func authenticating(_ way: TokenOptions.ClientAuthentication) -> AuthorizationPlan {
    var plan = self
    plan.provider.token.clientAuthentication = way
    plan.provider.source = .object(
      ProviderCatalog.merge([.init("clientAuthentication", .string(way.rawValue))], over: provider.source.members ?? []))
    return plan
  }
}
