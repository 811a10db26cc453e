import Jansson
import OAuthCore

/// The grant as the text that is sealed in its file. One list of members serves for reading and writing.
extension Grant: FieldReadable, JSONObjectConvertible {
  package static var sample: Grant {
    Grant(account: "", provider: .object([]), client: Client(id: ""), accessToken: Secret(""), tokenType: "", issuedAt: 0)
  }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    self = .sample
    try handOver(to: &fields)
  }

  package func list(_ members: inout ObjectWriter) {
    var grant = self
    grant.handOver(to: &members)
  }

  /// Lets the text have each member, or give it. A new member is a line here, and versions that do not know it ignore it.
  private mutating func handOver<Text: GrantText>(to text: inout Text) throws(Text.Failure) {
    try text.member("account", &account)
    var described = StoredDescription.parts(of: provider, isRebuilt: providerReference != nil)
    try text.member("provider", &described.first)
    try text.member("providerAdditions", &described.later)
    try text.member("providerExtras", &described.latest)
    provider = StoredDescription.joined(described.first, described.later, described.latest)
    try text.member("providerName", &providerName)
    try text.member("providerReference", &providerReference)
    providerReference = providerReference.map(StoredDescription.withoutRemoved)
    var (document, extras) = StoredDescription.parts(ofPublished: published)
    try text.member("published", &document)
    try text.member("publishedExtras", &extras)
    published = document?.members.map { $0 + (extras?.members ?? []) }
    var (scope, hosts) = (publishedLimit?.scope, publishedLimit?.namedHosts)
    try text.member("publishedScope", &scope)
    try text.member("namedHosts", &hosts)
    publishedLimit = scope.map { PublishedLimit(scope: $0, namedHosts: hosts ?? []) }
    try client.handOver(to: &text)
    try text.member("accessToken", &accessToken)
    try text.member("tokenType", &tokenType)
    try text.member("tokenSecret", &tokenSecret)
    try text.member("sessionHandle", &sessionHandle)
    try text.member("refreshToken", &refreshToken)
    try text.member("keepsRefreshToken", &keepsRefreshToken, unless: false)
    try text.member("dpopKey", &dpopKey)
    try text.member("idToken", &idToken)
    try text.member("idTokenExpiresAt", &idTokenExpiresAt)
    var (rest, restOfEnd) = (issued.milliseconds % 1000, (expires?.milliseconds ?? 0) % 1000)
    try text.member("issuedAt", &issuedAt)
    try text.member("issuedMilliseconds", &rest, unless: 0)
    issued.milliseconds += rest % 1000
    try text.member("expiresAt", &expiresAt)
    try text.member("expiresMilliseconds", &restOfEnd, unless: 0)
    expires?.milliseconds += restOfEnd % 1000
    try text.member("isDatedAhead", &isDatedAhead, unless: false)
    try text.member("refreshTokenExpiresAt", &refreshTokenExpiresAt)
    try text.member("grantedScopes", &grantedScopes)
    try text.member("unknownScopes", &unknownScopes)
    try text.member("declinedScopes", &declinedScopes)
    try text.member("refusedScopes", &refusedScopes, unless: [])
    try text.member("redirectUri", &redirectUri)
    try text.member("pinnedRedirectUri", &pinnedRedirectUri)
    try text.member("clientParameters", &clientParameters)
    try text.member("clientScopes", &clientScopes)
    try text.member("clientRequest", &clientRequest)
    try text.member("subject", &subject)
    try text.member("email", &email)
    try text.member("attributes", &attributes, unless: .init())
    try text.member("isClientRegistered", &isClientRegistered, unless: false)
    try text.member("isClientForgotten", &isClientForgotten, unless: false)
    try text.member("clientSecretExpiresAt", &clientSecretExpiresAt)
    var (rejectedAt, reason, claims, client) = (rejection?.at, rejection?.reason, rejection?.claims, rejection?.client)
    try text.member("isRefreshRefused", &isRejected)
    try text.member("rejectedAt", &rejectedAt)
    try text.member("rejection", &reason)
    try text.member("rejectionClaims", &claims)
    try text.member("rejectedClient", &client)
    rejection = rejectedAt.flatMap { at in reason.map { Rejection(at: at, reason: $0, claims: claims) } }
    rejection?.client = client
    try text.member("doubtedAt", &doubtedAt)
    try text.member("isUntried", &isUntried, unless: false)
    try text.member("isShortLived", &isShortLived, unless: false)
    try text.member("login", &login)
    try text.member("importedAt", &importedAt)
    try text.member("generation", &generation)
  }
}

extension Client {
  /// The members of the client in a grant.
  fileprivate mutating func handOver<Text: GrantText>(to text: inout Text) throws(Text.Failure) {
    try text.member("clientId", &id)
    try text.member("clientSecret", &stored.secret)
    try text.member("clientCertificate", &stored.certificate)
    try text.member("isClientCertificateConfigured", &isCertificateConfigured, unless: false)
    var key = stored.key?.stored
    try text.member("clientKey", &key)
    stored.key = ClientKey(stored: key)
    // An earlier version then sends no request, which the server would reject without the key.
    isSecretConfigured = isSecretConfigured || key != nil
    try text.member("isClientSecretConfigured", &isSecretConfigured, unless: false)
  }
}

/// What reads the members of a grant, or writes those that have a value.
private protocol GrantText {
  associatedtype Failure: Error
  mutating func member<Value: FieldValue>(_ name: String, _ value: inout Value?) throws(Failure)
}

extension GrantText {
  /// The value stays if none is read. The `usual` one is not written.
  mutating func member<Value: FieldValue & Equatable>(_ name: String, _ value: inout Value, unless usual: Value? = nil) throws(Failure) {
    var found = value == usual ? nil : value
    try member(name, &found)
    value = found ?? value
  }
}

extension ObjectReader: GrantText {
  mutating func member<Value: FieldValue>(_ name: String, _ value: inout Value?) throws(FieldError) { value = try optional(name, "") }
}

extension ObjectWriter: GrantText {
  mutating func member<Value: FieldValue>(_ name: String, _ value: inout Value?) { add(optional: name, value, "") }
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

    /// Returns the metadata as every version reads them, and the members that versions before 0.2.0 do not know; nil if there are none.
    static func parts(ofPublished members: [JSON.Member]?) -> (first: JSON?, latest: JSON?) {
      let latest = members?.filter(isLatest) ?? []
      return (members.map { .object($0.filter { !isLatest($0) }) }, latest.isEmpty ? nil : .object(latest))
    }

    /// Whether versions before 0.2.0 may reject the member. They would then reject all that a server published.
    private static func isLatest(_ member: JSON.Member) -> Bool { latest.contains(member.name) }

    static func joined(_ first: JSON, _ later: JSON?...) -> JSON {
      guard let members = first.members else { return withoutRemoved(first) }
      return withoutRemoved(.object(members + later.flatMap { $0?.members ?? [] }.filter { first[$0.name] == nil }))
    }

    /// Whether the first release doesn't know the member or the form of its value.
    private static func isLater(_ member: JSON.Member) -> Bool {
      switch member.name {
      case "pagination": member.value["style"] == "page" || member.value["cursor"]?.array != nil
      case "pkce": member.value == "S256-hex"
      case "clientAuthentication", "refreshAuthentication":
        ["basicUnencoded", "privateKeyJwt", "clientSecretJwt", "tlsClientAuth", "selfSignedTlsClientAuth"].contains(member.value.string)
      case "expired": member.value["certain"] != nil
      case "registrationParameters": member.value.members?.contains { $0.value.string == nil } == true
      default: !known.contains(member.name)
      }
    }
  }
}
