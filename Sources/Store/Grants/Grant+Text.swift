import Jansson
import OAuthCore

/// The grant as the text that is sealed in its file.
extension Grant: FieldReadable, JSONObjectConvertible {
  package static var sample: Grant {
    Grant(account: "", provider: .object([]), client: Client(id: ""), accessToken: Secret(""), tokenType: "", issuedAt: 0)
  }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.required("account", "The name under which the grant is stored.")
    provider = StoredDescription.joined(
      try fields.required("provider", "The resolved description of the provider."),
      try fields.optional("providerAdditions", "Members of the description that the first release does not know."),
      try fields.optional("providerExtras", "Members of the description that versions before 0.2.0 do not know."))
    providerName = try fields.optional("providerName", "The provider's name.") ?? ""
    let reference: JSON? = try fields.optional("providerReference", "The preset or file that named the provider.")
    providerReference = reference.map(StoredDescription.withoutRemoved)
    let published: JSON? = try fields.optional("published", "The published metadata.")
    let extras: JSON? = try fields.optional("publishedExtras", "Members of it that versions before 0.2.0 do not know.")
    self.published = published?.members.map { $0 + (extras?.members ?? []) }
    let scope: NetworkScope? = try fields.optional("publishedScope", "The network scope of the server that published the metadata.")
    let named: [String] = try fields.optional("namedHosts", "Hosts that the description itself names.") ?? []
    publishedLimit = scope.map { PublishedLimit(scope: $0, namedHosts: named) }
    client = Client(id: try fields.required("clientId", "The client ID."))
    client.stored.secret = try fields.optional("clientSecret", "The client secret.")
    client.stored.key = ClientKey(stored: try fields.optional("clientKey", "The client's private key."))
    client.stored.certificate = try fields.optional("clientCertificate", "The client's certificate and its key.")
    client.isCertificateConfigured =
      try fields.optional("isClientCertificateConfigured", "Whether the configuration has the client's certificate.") ?? false
    client.isSecretConfigured = try fields.optional("isClientSecretConfigured", "Whether the configuration has the client secret.") ?? false
    accessToken = try fields.optional("accessToken", "The access token.")
    tokenType = try fields.optional("tokenType", "The token type.")
    tokenSecret = try fields.optional("tokenSecret", "OAuth 1.0a: the token's secret.")
    sessionHandle = try fields.optional("sessionHandle", "OAuth 1.0a: the session handle.")
    refreshToken = try fields.optional("refreshToken", "The refresh token.")
    dpopKey = try fields.optional("dpopKey", "The private key that the tokens are bound to.")
    idToken = try fields.optional("idToken", "The ID token.")
    idTokenExpiresAt = try fields.optional("idTokenExpiresAt", "When the ID token expires, in Unix seconds, if a refresh may replace it.")
    issued = Instant(seconds: try fields.required("issuedAt", "When the access token was received, in Unix seconds."))
    issued.milliseconds += try fields.optional("issuedMilliseconds", in: 0...999, "The milliseconds of that time.") ?? 0
    let end: Int? = try fields.optional("expiresAt", "When the access token expires, in Unix seconds.")
    expires = end.map(Instant.init(seconds:))
    expires?.milliseconds += try fields.optional("expiresMilliseconds", in: 0...999, "The milliseconds of that time.") ?? 0
    refreshTokenExpiresAt = try fields.optional("refreshTokenExpiresAt", "When the refresh token expires, in Unix seconds.")
    grantedScopes = try fields.optional("grantedScopes", "The granted scopes.") ?? []
    unknownScopes = try fields.optional("unknownScopes", "Why the granted scopes are unknown.")
    declinedScopes = try fields.optional("declinedScopes", "Scopes that were requested and not granted.") ?? []
    refusedScopes = try fields.optional("refusedScopes", "Scopes that a service demanded and that were refused.") ?? []
    redirectUri = try fields.optional("redirectUri", "The redirect URI of the sign-in.")
    pinnedRedirectUri = try fields.optional("pinnedRedirectUri", "The redirect URI that the caller of the sign-in named.")
    clientParameters = try fields.optional("clientParameters", "Extra parameters of the client-credentials request.")
    clientScopes = try fields.optional("clientScopes", "Scopes of the client-credentials request.")
    clientRequest = try fields.optional("clientRequest", "What else the request for the client's own token says.")
    subject = try fields.optional("subject", "The user's subject.")
    email = try fields.optional("email", "The user's e-mail address.")
    attributes = try fields.optional("attributes", "Further attributes of the user.") ?? .init()
    isClientRegistered = try fields.optional("isClientRegistered", "Whether the process registered the client.") ?? false
    isClientForgotten = try fields.optional("isClientForgotten", "Whether the server rejected that client.") ?? false
    clientSecretExpiresAt = try fields.optional("clientSecretExpiresAt", "When that client's secret expires, in Unix seconds.")
    isRejected = try fields.optional("isRefreshRefused", "Whether the provider rejected the grant.") ?? false
    let rejectedAt: Int? = try fields.optional("rejectedAt", "When the provider rejected the grant, in Unix seconds.")
    let reason: String? = try fields.optional("rejection", "Why the provider rejected it.")
    let claims: String? = try fields.optional("rejectionClaims", "The claims that the next sign-in has to bring.")
    rejection = rejectedAt.flatMap { at in reason.map { Rejection(at: at, reason: $0, claims: claims) } }
    doubtedAt = try fields.optional("doubtedAt", "When a service rejected the access token without a reason, in Unix seconds.")
    isUntried = try fields.optional("isUntried", "Whether no refresh has followed the sign-in.") ?? false
    isShortLived = try fields.optional("isShortLived", "Whether the access token is yet to be exchanged for a long-lived one.") ?? false
    login = try fields.optional("login", "ID of the sign-in or import that created the grant.")
    importedAt = try fields.optional("importedAt", "When the grant was imported, if the provider has issued no token for it since.")
    generation = try fields.optional("generation", "Counts every change.") ?? 1
  }

  package func list(_ members: inout ObjectWriter) {
    members.add("account", account, "")
    let description = StoredDescription.parts(of: provider, isRebuilt: providerReference != nil)
    members.add("provider", description.first, "")
    members.add(optional: "providerAdditions", description.later, "")
    members.add(optional: "providerExtras", description.latest, "")
    members.add("providerName", providerName, "")
    members.add(optional: "providerReference", providerReference, "")
    members.add(optional: "published", published.map { JSON.object($0.filter { !StoredDescription.isLatest($0) }) }, "")
    let extras = (published ?? []).filter(StoredDescription.isLatest)
    members.add(optional: "publishedExtras", extras.isEmpty ? nil : JSON.object(extras), "")
    members.add(optional: "publishedScope", publishedLimit?.scope, "")
    members.add(optional: "namedHosts", publishedLimit?.namedHosts, "")
    members.add("clientId", client.id, "")
    members.add(optional: "clientSecret", client.stored.secret, "")
    members.add(optional: "clientCertificate", client.stored.certificate, "")
    if client.isCertificateConfigured { members.add("isClientCertificateConfigured", true, "") }
    members.add(optional: "clientKey", client.stored.key?.stored, "")
    // An earlier version then sends no request, which the server would reject without the key.
    if client.isSecretConfigured || client.stored.key != nil { members.add("isClientSecretConfigured", true, "") }
    members.add(optional: "accessToken", accessToken, "")
    members.add(optional: "tokenType", tokenType, "")
    members.add(optional: "tokenSecret", tokenSecret, "")
    members.add(optional: "sessionHandle", sessionHandle, "")
    members.add(optional: "refreshToken", refreshToken, "")
    members.add(optional: "dpopKey", dpopKey, "")
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
    if !refusedScopes.isEmpty { members.add("refusedScopes", refusedScopes, "") }
    members.add(optional: "redirectUri", redirectUri, "")
    members.add(optional: "pinnedRedirectUri", pinnedRedirectUri, "")
    members.add(optional: "clientParameters", clientParameters, "")
    members.add(optional: "clientScopes", clientScopes, "")
    members.add(optional: "clientRequest", clientRequest, "")
    members.add(optional: "subject", subject, "")
    members.add(optional: "email", email, "")
    if !attributes.pairs.isEmpty { members.add("attributes", attributes, "") }
    if isClientRegistered { members.add("isClientRegistered", isClientRegistered, "") }
    if isClientForgotten { members.add("isClientForgotten", isClientForgotten, "") }
    members.add(optional: "clientSecretExpiresAt", clientSecretExpiresAt, "")
    members.add("isRefreshRefused", isRejected, "")
    members.add(optional: "rejectedAt", rejection?.at, "")
    members.add(optional: "rejection", rejection?.reason, "")
    members.add(optional: "rejectionClaims", rejection?.claims, "")
    members.add(optional: "doubtedAt", doubtedAt, "")
    if isUntried { members.add("isUntried", isUntried, "") }
    if isShortLived { members.add("isShortLived", isShortLived, "") }
    members.add(optional: "login", login, "")
    members.add(optional: "importedAt", importedAt, "")
    members.add("generation", generation, "")
  }
}

extension Grant {
  /// Splits the provider's description into two parts in the grant file. The first release can then read the file too.
  ///
  /// The first release rejects a description with an unknown member. To the user, a rejected grant looks like a lost sign-in.
  private enum StoredDescription {
    /// The members that the first release knows. Later members are in the second part, which that release ignores.
    private static let known: Set<String> = Set(
      """
      $schema name preset protocol issuer discovery authorizationEndpoint tokenEndpoint introspectionEndpoint userInfoEndpoint
      deviceAuthorizationEndpoint registrationEndpoint pushedAuthorizationRequestEndpoint jwksUri scopes scopeSeparator scopeParameter pkce
      authorizationParameters parameterNames codeParameter stateParameter callbackMembers redirectIssuer pushedAuthorizationRequests
      registrationParameters resourceIndicator signInAgainWithin scopeAliases nonce consentRetry clientAuthentication bodyFormat tokenMethod
      requestSignature tokenHeaders tokenParameters refreshEndpoint refreshMethod refreshAuthentication refreshStyle refreshGrantType
      refreshTokenParameter refreshParameters refreshTokenUse renewWithin sendsRedirectUriWithCode sendsRedirectUriOnRefresh
      sendsScopesOnRefresh longLivedEndpoint longLivedMethod longLivedGrantType longLivedTokenParameter
      tokenPath memberNames tokenType tokenTypeDefault expiresZero expiresDefault tokenErrors
      tokenMembers apiBase apiPathJoin apiHosts apiHeaders endpointHosts apiCredential apiErrors expired parameterFormat rateLimit pagination
      redirectHost redirectPath redirectPorts redirectPolicy revocationEndpoint revocationStyle revocationToken revocationTokenParameter
      endSessionEndpoint endSessionParameters deviceParameters deviceMemberNames deviceClientIdIn deviceGrantType sendsUserCode
      deviceErrorNames requestTokenEndpoint accessTokenEndpoint signatureMethod privateKey signaturePlacement realm
      tokenRequestMethod requestTokenParameters scopeStep openidEndpoint openidClaimedIds
      openidAttributes openidParameters openidClientParameter openidStateParameter openidCodeParameter openidDialect
      variables reasons unconfirmed
      """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Members that earlier releases stored and this one doesn't have. They are dropped because such a grant could not be read.
    private static let removed: Set<String> = Set(
      """
      accessTokenParameters answerFormat bodyHash expiresUnit longLivedAuthentication longLivedParameters openidAssociation
      openidIdentifier openidRealm openidRegistration openidSession openidSignature
      """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Members that versions before 0.2.0 reject in the second part, or a form of their values.
    private static let latest: Set<String> = [
      "assertionAudience", "assertionPlacement", "assertionType", "authorizationFragment", "dpop", "expired", "idTokenAlgorithms",
      "mtlsEndpoints", "oauthCallbackConfirmed", "pkce", "redirectErrorNames", "registrationFormat", "revocationParameters", "scopeCase",
      "scopePrefix", "userInfoPath", "variablesByHost",
    ]

    /// Returns a description, or a provider reference, without those members.
    static func withoutRemoved(_ description: JSON) -> JSON {
      guard let members = description.members else { return description }
      return .object(
        members.filter { !removed.contains($0.name) }.map { member in
          // Earlier releases also stored the members `optional` and `counts` of this one.
          member.name != "openidAttributes"
            ? member : .init(member.name, .object((member.value.members ?? []).filter { $0.name == "required" }))
        })
    }

    /// Returns the part that every release reads, and the parts that only later ones read; these are nil if empty.
    ///
    /// Versions before 0.2.0 ignore the third part, and drop it when they write. So only a description that is rebuilt from its preset or file has it.
    static func parts(of description: JSON, isRebuilt: Bool) -> (first: JSON, later: JSON?, latest: JSON?) {
      guard let members = description.members, members.contains(where: isLater) else { return (description, nil, nil) }
      func part(_ isWanted: (JSON.Member) -> Bool) -> JSON? {
        let found = members.filter(isWanted)
        return found.isEmpty ? nil : .object(found)
      }
      func isExtra(_ member: JSON.Member) -> Bool { isRebuilt && isLater(member) && isLatest(member) }
      return (part { !isLater($0) } ?? .object([]), part { isLater($0) && !isExtra($0) }, part(isExtra))
    }

    /// Whether versions before 0.2.0 may reject the member. They would then reject all that a server published.
    static func isLatest(_ member: JSON.Member) -> Bool { latest.contains(member.name) }

    static func joined(_ first: JSON, _ later: JSON?...) -> JSON {
      guard let members = first.members else { return withoutRemoved(first) }
      return withoutRemoved(.object(members + later.flatMap { $0?.members ?? [] }.filter { first[$0.name] == nil }))
    }

    /// Whether the first release doesn't know the member or the form of its value.
    private static func isLater(_ member: JSON.Member) -> Bool {
      switch member.name {
      case "pagination": member.value["style"] == "page"
      case "pkce": member.value == "S256-hex"
      case "clientAuthentication", "refreshAuthentication":
        ["privateKeyJwt", "clientSecretJwt", "tlsClientAuth", "selfSignedTlsClientAuth"].contains(member.value.string)
      case "expired": member.value["certain"] != nil
      case "registrationParameters": member.value.members?.contains { $0.value.string == nil } == true
      default: !known.contains(member.name)
      }
    }
  }
}
