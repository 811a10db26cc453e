import Jansson

/// The provider's description as a grant file holds it: in two parts, so that the first release can read the file too.
///
/// The first release rejects a description with a member that it does not know, and a rejected grant looks like a lost login.
enum GrantDescription {
  /// The members that the first release knows. Later ones go into the second part, which it ignores.
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

  /// Members that earlier releases stored and this one does not know. They are dropped, because a grant that has one could not be read.
  private static let removed: Set<String> = ["openidAssociation", "openidSession"]

  /// A description, or what it was named by, without those members.
  static func withoutRemoved(_ description: JSON) -> JSON {
    guard let members = description.members, members.contains(where: { removed.contains($0.name) }) else { return description }
    return .object(members.filter { !removed.contains($0.name) })
  }

  /// The part that every release reads, and the part that only later ones read; nil where there is nothing in it.
  static func parts(of description: JSON) -> (first: JSON, later: JSON?) {
    guard let members = description.members, members.contains(where: isLater) else { return (description, nil) }
    return (.object(members.filter { !isLater($0) }), .object(members.filter(isLater)))
  }

  static func joined(_ first: JSON, _ later: JSON?) -> JSON {
    let first = withoutRemoved(first)
    guard let later = later?.members, let members = first.members else { return first }
    return .object(members + later.filter { first[$0.name] == nil })
  }

  /// A known member counts as later if its value is of a form that the first release does not know.
  private static func isLater(_ member: JSON.Member) -> Bool {
    switch member.name {
    case "pagination": member.value["style"] == "page"
    case "registrationParameters": member.value.members?.contains { $0.value.string == nil } == true
    default: !known.contains(member.name)
    }
  }
}
