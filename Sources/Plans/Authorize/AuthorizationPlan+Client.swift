import Jansson
import OAuthCore
import Store

/// Flows without a user.
extension AuthorizationPlan {
  /// Tokens for the client itself (RFC 6749, 4.4). No user signs in and no page is opened.
  package var isForClient: Bool { request.flow.isForClient }

  /// Before a request is sent, rejects a plan that cannot get a token for the client itself.
  func checkClient() throws {
    // The consumer's key alone signs the calls, and there is no token to get.
    if provider.protocolName == .oauth1, request.flow == .clientCredentials {
      guard client.secret == nil, !provider.oauth1.signatureMethod.usesPrivateKey else { return }
      throw FieldError.missing("/clientSecret", ": it signs the requests")
    }
    guard provider.protocolName == .oauth2, provider.tokenEndpoint != nil else {
      throw OAuthFailure.unsupported("the flow \(request.flow.rawValue) needs OAuth 2.0 and a tokenEndpoint in the description").of(account)
    }
    if registersClient {
      throw FieldError.missing("/clientId", ": the flow \(request.flow.rawValue) needs a client that is registered with the provider")
    }
    guard request.flow == .clientCredentials else { return try checkSubject() }
    // Only a client that can authenticate may use this flow (RFC 6749, 4.4).
    let isNamedOnly = provider.token.clientAuthentication == TokenOptions.ClientAuthentication.none
    try provider.token.checkSecret(of: client)
    if hasAssertion { return }
    guard client.hasCredential || isNamedOnly else {
      throw FieldError.missing("/clientSecret", ": the flow clientCredentials needs it, or a privateKey")
    }
    try provider.checkAuthentication(of: client)
  }

  /// Whether the caller or the configuration has a token for the request.
  package func has(_ member: String) -> Bool { request.clientRequest[member] != nil || request.sources[member] != nil }

  /// Whether the client authenticates by an assertion that another program makes.
  package var hasAssertion: Bool { has("clientAssertion") }

  /// Whether the client's key signs the assertion of the grant and does not authenticate the client.
  package var signsOnlyAssertion: Bool {
    request.flow == .jwtBearer && !has("subjectToken") && provider.token.clientAuthentication != .privateKeyJwt
  }

  /// Rejects a request without the assertion or the token that its flow exchanges.
  private func checkSubject() throws {
    if request.sources.serviceAccount != nil { return }
    if request.clientRequest["actorTokenType"] != nil, !has("actorToken") { throw FieldError("/actorTokenType", "needs an actorToken") }
    switch (request.flow, request.sources["subjectToken"]) {
    case (.identityAssertion, .account):
      // The assertion is for this server alone.
      let problem = "is missing: the identity provider's assertion is for that issuer"
      if provider.issuer == nil { throw OAuthFailure.misconfigured("/provider/issuer", problem).of(account) }
    case (.identityAssertion, _):
      throw FieldError("/subjectToken", "must be the source of another account's token", ", which belongs to the configuration")
    case (_, nil) where request.clientRequest["subjectToken"] == nil:
      guard request.flow == .jwtBearer else { throw FieldError.missing("/subjectToken", ": the flow \(request.flow.rawValue) needs it") }
      guard client.key != nil else { throw FieldError.missing("/subjectToken", ": the flow jwtBearer needs it, or a privateKey") }
      let claims = request.clientRequest["assertionClaims"]
      if client.id.isEmpty, claims?["iss"] == nil {
        throw FieldError.missing("/clientId", ": it is the issuer of the assertion, unless assertionClaims names one")
      }
      guard provider.assertion.assertionPlacement == .body, claims?["aud"] == nil else { return }
      _ = try provider.assertionAudience(at: provider.tokenEndpoint)
    default: break
    }
  }
}

extension Planner {
  /// Rejects what the caller brings for a flow that has no use for it, a type for a configured token, and claims for the configured key
  /// or for one that another caller has brought. A grant may have been imported with claims.
  func check(_ brought: ClientRequest, of plan: AuthorizationPlan) throws {
    if let member = brought.firstMember, !plan.isForClient {
      throw FieldError("/" + member, "needs a flow without a user", ", such as jwtBearer or tokenExchange")
    }
    if let token = plan.request.sources.tokens.first(where: { brought[$0.member + "Type"] != nil })?.member {
      throw FieldError("/\(token)Type", "belongs to the configuration of the account \(shown)", ", as the token does")
    }
    let claims = plan.request.clientRequest["assertionClaims"]?.sorted
    let (audience, isIdentity) = (plan.provider.assertion.assertionAudience, plan.request.flow == .identityAssertion)
    let signs = plan.client.configured.key != nil || (try? plan.provider.assertionKey(of: plan.client)) != nil
    if signs || isIdentity, let own = try descriptionBesideAPI(plan.provider),
      own["issuer"] != nil && (isIdentity || audience == "issuer") || claims?["aud"] != nil || audience.contains(":")
    {
      throw FieldError("/provider", "is an API that names its authorization server itself", ": name the issuer, as the audience is fixed")
    }
    let isConfigured = claims == configured?.clientRequest["assertionClaims"]?.sorted
    guard claims != nil, input.credentials.key == nil, !isConfigured else { return }
    if plan.client.configured.key != nil {
      throw FieldError("/assertionClaims", "belongs to the configuration of the account \(shown)", ", as the key that signs it does")
    }
    guard claims != stored?.clientRequest?["assertionClaims"]?.sorted else { return }
    throw FieldError("/assertionClaims", "needs the privateKey that signs it", " in the same request")
  }

  /// Rejects a provider that would send what the sources have to an origin that the configuration, or the preset in it, does not name.
  func checkSources(_ sources: ClientSources, for provider: Provider) throws {
    guard let configured, !sources.isEmpty else { return }
    guard let proof = configured.provider else { throw configured.missingProvider }
    let exchanged = sources.tokens.first { member, source in
      if case .account = source { configured.flow != .identityAssertion || member != "subjectToken" } else { false }
    }
    if let exchanged, let own = try descriptionBesideAPI(provider), own["tokenEndpoint"] == nil {
      let problem = "is an API that names its authorization server itself"
      throw FieldError("/provider", problem, ": \(exchanged.member) goes only to a server that the configuration names")
        .blaming(configuration: configured)
    }
    if try sendsSecretsOnly(provider, to: proof) { return }
    if let missing = missing(try catalog.written(proof, configuredVariables), for: .request) { throw missing }
    throw FieldError("/provider", "sends the configured tokens to other servers than the configuration names for the account \(shown)")
  }

  /// Returns the configured description if an API names the provider's authorization server; nil if that is of the issuer that it names.
  /// An API may say that it is an issuer, so a named issuer has to be found.
  private func descriptionBesideAPI(_ provider: Provider) throws -> JSON? {
    let proof = configured?.provider ?? provider.preset.map(ProviderReference.preset)
    guard let published = provider.published.map(JSON.object), let proof else { return nil }
    let own = JSON.object(try catalog.written(proof, configuredVariables).members)
    let isFromAPI = published["apiBase"] != nil || own["issuer"] != nil && provider.preset == nil
    return isFromAPI && (own["issuer"] == nil || own["issuer"] != published["issuer"]) ? own : nil
  }
}
