import Jansson

/// Who grants, resolved: where its endpoints are and how it deviates from the specifications. Everything is data; no code asks for a provider by name.
package struct Provider: FieldObject {
  package static let placeholder = Provider()

  /// Which specification is spoken.
  package enum ProtocolName: String, FieldWord { case oauth2, oauth1, openid2 }

  /// What people call it.
  package var name = ""
  /// The account's name where the caller gives none: the preset's, else the host's.
  package var defaultAccount = ""
  package var preset: String?
  package var protocolName = ProtocolName.oauth2
  package var issuer: String?
  package var discovery: String?
  package var authorizationEndpoint: String?
  package var tokenEndpoint: String?
  package var introspectionEndpoint: String?
  package var userInfoEndpoint: String?
  package var deviceAuthorizationEndpoint: String?
  package var registrationEndpoint: String?
  package var pushedAuthorizationRequestEndpoint: String?
  package var jwksUri: String?
  /// Where people register a client.
  package var registrationPage: String?
  package var request = AuthorizationManner()
  package var token = TokenManner()
  package var longLived = LongLivedManner()
  package var answer = AnswerManner()
  package var afterSignIn: AccountLookup?
  package var api = APIManner()
  package var redirect = RedirectManner()
  package var revocation = RevocationManner()
  package var logout = LogoutManner()
  package var device = DeviceManner()
  package var oauth1 = OAuth1Manner()
  package var openid = OpenIDManner()
  package var variables = NamedValues<String>()
  package var reasons = NamedValues<String>()
  package var unconfirmed: [String] = []
  /// The description that this was read from, as it is kept with a grant.
  package var source = JSON.object([])

  /// What its server published at `discovery`, with nothing laid over it; nil where that is not known.
  package var published: [JSON.Member]?
  /// The limit of requests to the places in it; nil where nothing was published, or nothing is known of the server.
  var publishedLimit: PublishedLimit?

  /// What it was named by, where that is a preset or a file, which may change.
  package var reference: JSON?

  package init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    let _: String? = try fields.optional("$schema", "The schema that an editor checks a provider's file with.")
    name = try fields.optional("name", "What people call the provider.") ?? ""
    preset = try fields.optional("preset", "The preset to start from; every other member overrides it.")
    protocolName = try fields.optional("protocol", "The specification that is spoken; oauth2 by default.") ?? .oauth2
    issuer = try fields.optional(
      "issuer",
      "The issuer's identifier, which an ID token's `iss` has to be and a redirect's (RFC 9207); {tenantid} in its path is the ID token's claim "
        + "`tid`, in a preset or a provider file alone."
    )
    discovery = try fields.optional(
      "discovery", "An issuer or a protected resource that says by itself where things are (RFC 8414, RFC 9728); what stands here wins.")
    authorizationEndpoint = try fields.optional(
      "authorizationEndpoint", "Where the user is sent to (RFC 6749, 3.1); with a path for a fragment, the parameters follow that.")
    tokenEndpoint = try fields.optional("tokenEndpoint", "Where codes and refresh tokens are exchanged (RFC 6749, 3.2).")
    introspectionEndpoint = try fields.optional("introspectionEndpoint", "Where a token's state can be asked for (RFC 7662).")
    userInfoEndpoint = try fields.optional("userInfoEndpoint", "Where claims about the user are (OpenID Connect Core, 5.3).")
    deviceAuthorizationEndpoint = try fields.optional("deviceAuthorizationEndpoint", "Where device codes come from (RFC 8628).")
    registrationEndpoint = try fields.optional("registrationEndpoint", "Where a client registers itself (RFC 7591).")
    pushedAuthorizationRequestEndpoint = try fields.optional(
      "pushedAuthorizationRequestEndpoint", "Where authorization requests are pushed to (RFC 9126).")
    jwksUri = try fields.optional("jwksUri", "Where the issuer's public keys are (RFC 7517).")
    registrationPage = try fields.optional("registrationPage", "The page where people register a client, which errors name.")
    request = try AuthorizationManner(&fields)
    token = try TokenManner(&fields)
    longLived = try LongLivedManner(&fields)
    answer = try AnswerManner(&fields)
    afterSignIn = try fields.optional(
      "afterSignIn", "A request after the sign-in whose answer names what later URLs and headers need, such as a tenant.")
    api = try APIManner(&fields)
    redirect = try RedirectManner(&fields)
    revocation = try RevocationManner(&fields)
    logout = try LogoutManner(&fields)
    device = try DeviceManner(&fields)
    oauth1 = try OAuth1Manner(&fields)
    openid = try OpenIDManner(&fields)
    variables = try fields.optional("variables", "Values for {names} in the endpoints, such as a tenant or a host.") ?? .init()
    reasons = try fields.optional("reasons", "Why each deviation is there, by member name.") ?? .init()
    unconfirmed = try fields.optional("unconfirmed", "Members whose facts have not been confirmed with the provider.") ?? []
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    // It is shown on terminals and pages, where a control character is a command.
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value || 0x2028...0x2029 ~= $0.value }) {
      throw FieldError(fields.pointer("name"), "must not contain control characters")
    }
    for (member, value) in [
      ("discovery", discovery), ("tokenEndpoint", tokenEndpoint),
      ("introspectionEndpoint", introspectionEndpoint), ("userInfoEndpoint", userInfoEndpoint),
      ("deviceAuthorizationEndpoint", deviceAuthorizationEndpoint), ("registrationEndpoint", registrationEndpoint),
      ("pushedAuthorizationRequestEndpoint", pushedAuthorizationRequestEndpoint), ("jwksUri", jwksUri),
    ] {
      try fields.check(endpoint: value, member)
    }
    try fields.check(endpoint: authorizationEndpoint, "authorizationEndpoint", isPage: protocolName == .oauth2)
    if token.requestSignature != nil, longLived.longLivedMethod == .get {
      throw FieldError(fields.pointer("requestSignature"), "signs the body, so the parameters have to be there")
    }
  }

  /// Tokens and secrets travel to these places, so nothing but https will do, or http to this very machine (RFC 6749, 3.1 and 3.2; RFC 8252, 8.3).
  ///
  /// An endpoint has no fragment (RFC 6749, 3.1); yet some services' pages find their way by a path in it, which goes nowhere but into the browser.
  package static func problem(ofEndpoint text: String, isPage: Bool = false) -> String? {
    guard let url = try? URLParts(text) else { return "is no absolute url" }
    guard url.scheme == "https" || (url.scheme == "http" && url.isLoopback) else {
      return "has to be an https url (http on the loopback interface alone)"
    }
    if url.userInfo != nil { return "must not contain a user name" }
    if let fragment = url.fragment {
      let isPath = fragment.utf8.first == UInt8(ascii: "/") && !fragment.utf8.contains(UInt8(ascii: "?"))
      if !isPage || !isPath { return isPage ? "must not have a fragment other than a path" : "must not have a fragment" }
    }
    return nil
  }

  /// Whether somebody has to be registered there first. OpenID 2.0's providers know no clients; its hybrids do.
  var needsClient: Bool {
    protocolName != .openid2 || openid.openidClientParameter != nil || oauth1.accessTokenEndpoint != nil
  }

  package func write(to writer: inout JSONWriter) { writer.value(source) }
}
