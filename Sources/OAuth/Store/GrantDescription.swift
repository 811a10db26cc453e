import Jansson

/// Splits the provider's description into two parts in the grant file. The first release can then read the file too.
///
/// The first release rejects a description with an unknown member. To the user, a rejected grant looks like a lost sign-in.
enum GrantDescription {
  /// The members that the first release knows. Later members are in the second part, which that release ignores.
  private static let known: Set<String> = Set(
    """
    $schema name preset protocol issuer discovery authorizationEndpoint tokenEndpoint introspectionEndpoint userInfoEndpoint
    deviceAuthorizationEndpoint registrationEndpoint pushedAuthorizationRequestEndpoint jwksUri scopes scopeSeparator scopeParameter pkce
    authorizationParameters parameterNames codeParameter stateParameter callbackMembers redirectIssuer pushedAuthorizationRequests
    registrationParameters resourceIndicator signInAgainWithin scopeAliases nonce consentRetry clientAuthentication bodyFormat tokenMethod
    requestSignature tokenHeaders tokenParameters refreshEndpoint refreshMethod refreshAuthentication refreshStyle refreshGrantType
    refreshTokenParameter refreshParameters refreshTokenUse renewWithin sendsRedirectUriWithCode sendsRedirectUriOnRefresh
    sendsScopesOnRefresh longLivedEndpoint longLivedMethod longLivedAuthentication longLivedGrantType longLivedTokenParameter
    longLivedParameters answerFormat tokenPath memberNames tokenType tokenTypeDefault expiresUnit expiresZero expiresDefault tokenErrors
    tokenMembers apiBase apiPathJoin apiHosts apiHeaders endpointHosts apiCredential apiErrors expired parameterFormat rateLimit pagination
    redirectHost redirectPath redirectPorts redirectPolicy revocationEndpoint revocationStyle revocationToken revocationTokenParameter
    endSessionEndpoint endSessionParameters deviceParameters deviceMemberNames deviceClientIdIn deviceGrantType sendsUserCode
    deviceErrorNames requestTokenEndpoint accessTokenEndpoint signatureMethod privateKey signaturePlacement bodyHash realm
    tokenRequestMethod requestTokenParameters accessTokenParameters scopeStep openidEndpoint openidIdentifier openidClaimedIds openidRealm
    openidRegistration openidAttributes openidParameters openidClientParameter openidStateParameter openidCodeParameter openidDialect
    variables reasons unconfirmed
    """.split { $0 == " " || $0 == "\n" }.map(String.init))

  /// Members that earlier releases stored and this one doesn't know. They are dropped because such a grant could not be read.
  private static let removed: Set<String> = ["openidAssociation", "openidSession"]

  /// Returns a description, or a provider reference, without those members.
  static func withoutRemoved(_ description: JSON) -> JSON {
    guard let members = description.members, members.contains(where: { removed.contains($0.name) }) else { return description }
    return .object(members.filter { !removed.contains($0.name) })
  }

  /// Returns the part that every release reads, and the part that only later ones read; the latter is nil if empty.
  static func parts(of description: JSON) -> (first: JSON, later: JSON?) {
    guard let members = description.members, members.contains(where: isLater) else { return (description, nil) }
    return (.object(members.filter { !isLater($0) }), .object(members.filter(isLater)))
  }

  static func joined(_ first: JSON, _ later: JSON?) -> JSON {
    let first = withoutRemoved(first)
    guard let later = later?.members, let members = first.members else { return first }
    return .object(members + later.filter { first[$0.name] == nil })
  }

  /// Whether the first release doesn't know the member or the form of its value.
  private static func isLater(_ member: JSON.Member) -> Bool {
    switch member.name {
    case "pagination": member.value["style"] == "page"
    case "registrationParameters": member.value.members?.contains { $0.value.string == nil } == true
    default: !known.contains(member.name)
    }
  }
}
