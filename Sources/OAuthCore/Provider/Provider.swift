import Jansson

/// A provider with all members resolved: its endpoints, and how it deviates from the specifications. All of it is data; no code is for one provider.
package struct Provider: FieldObject {
  /// The protocol that the provider uses.
  package enum ProtocolName: String, DescribedEnum {
    case oauth2, oauth1, openid2
  }

  /// The name for users.
  package var name = ""
  /// The account's name if the caller gives none: the preset's name, else the host.
  package var defaultAccount = ""
  package var preset: String?
  package var protocolName = ProtocolName.oauth2
  package var issuer: String?
  package var discovery: String?
  package var authorizationEndpoint: String?
  package var tokenEndpoint: String?
  package var introspectionEndpoint: String?
  package var userInfoEndpoint: String?
  package var userInfoPath: DottedPath?
  package var deviceAuthorizationEndpoint: String?
  package var registrationEndpoint: String?
  package var pushedAuthorizationRequestEndpoint: String?
  /// The endpoints for a client with a certificate, by the names of the members that they replace.
  package var mtlsEndpoints = NamedValues<String>()
  package var jwksUri: String?
  package var idTokenAlgorithms: [IDTokenAlgorithm] = []
  /// The page where users register a client.
  package var registrationPage: String?
  package var request = AuthorizationOptions()
  package var token = TokenOptions()
  package var assertion = AssertionOptions()
  package var otherTokens = OtherTokenOptions()
  package var longLived = LongLivedOptions()
  package var tokenResponse = TokenResponseOptions()
  package var afterSignIn: AccountLookup?
  package var api = APIOptions()
  package var redirect = RedirectOptions()
  package var revocation = RevocationOptions()
  package var logout = LogoutOptions()
  package var device = DeviceOptions()
  package var oauth1 = OAuth1Options()
  package var openid = OpenIDOptions()
  package var variables = NamedValues<String>()
  package var reasons = NamedValues<String>()
  package var unconfirmed: [String] = []
  package var sources = NamedValues<[String]>()
  /// The description that this provider was read from, as stored with a grant.
  package var source = JSON.object([])

  /// The unchanged publication at `discovery`; nil if unknown.
  package var published: [JSON.Member]?
  /// Limits requests to published endpoints; nil if nothing was published or the server's scope is unknown.
  package var publishedLimit: PublishedLimit?

  /// The reference to the preset or file, which may change; nil for a complete description.
  package var reference: JSON?

  package init() {}

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    let _: String? = try fields.optional("$schema", "The URL of the schema with which an editor checks a provider's file.")
    name = try fields.optional("name", "The provider's name for users. Without it, the preset's name or the host is used.") ?? ""
    preset = try fields.optional(
      "preset",
      "The preset that the description starts from. Every other member overrides the preset's. A default applies only if the "
        + "preset lacks the member too.")
    protocolName = try fields.optional("protocol", default: .oauth2, "The protocol that the provider uses.")
    issuer = try fields.optional(
      "issuer",
      "The issuer's identifier. The `iss` of an ID token and of a redirect must equal it (RFC 9207). In a preset or a "
        + "provider file, `{tenantid}` in its path stands for the ID token's claim `tid`.")
    discovery = try fields.endpoint(
      "discovery",
      "An issuer or a protected resource that publishes its endpoints (RFC 8414, RFC 9728). The members of this description "
        + "override what it publishes.")
    authorizationEndpoint = try fields.endpoint(
      "authorizationEndpoint", isPage: protocolName == .oauth2,
      "The page where the user signs in (RFC 6749, 3.1). If the URL has a path as its fragment, the parameters follow the " + "fragment.")
    tokenEndpoint = try fields.endpoint("tokenEndpoint", "The URL that exchanges codes and refresh tokens (RFC 6749, 3.2).")
    introspectionEndpoint = try fields.endpoint("introspectionEndpoint", "The URL that returns the state of a token (RFC 7662).")
    userInfoEndpoint = try fields.endpoint("userInfoEndpoint", "The URL that returns claims about the user (OpenID Connect Core, 5.3).")
    userInfoPath = try fields.optional(
      "userInfoPath", "The dotted path of the object with the claims in the response of `userInfoEndpoint`.")
    deviceAuthorizationEndpoint = try fields.endpoint("deviceAuthorizationEndpoint", "The URL that issues device codes (RFC 8628).")
    registrationEndpoint = try fields.endpoint("registrationEndpoint", "The URL where a client registers itself (RFC 7591).")
    pushedAuthorizationRequestEndpoint = try fields.endpoint(
      "pushedAuthorizationRequestEndpoint", "The URL that takes pushed authorization requests (RFC 9126).")
    mtlsEndpoints = try fields.optional(
      "mtlsEndpoints", default: .init(),
      "The endpoints for a client with a certificate, by the names of the members that they replace: `{\"tokenEndpoint\": \"https://…\"}` "
        + "(RFC 8705, 5).")
    jwksUri = try fields.endpoint("jwksUri", "The URL of the issuer's public keys (RFC 7517).")
    idTokenAlgorithms = try fields.optional(
      "idTokenAlgorithms", default: [],
      "Algorithms of ID tokens that the client's secret signs, besides those with the issuer's public keys (OpenID Connect Core, 10.1).")
    registrationPage = try fields.optional("registrationPage", "The page where people register a client. Errors name it.")
    try request.read(&fields)
    try token.read(&fields)
    try assertion.read(&fields)
    otherTokens =
      try fields.optional(
        "otherTokens",
        "How the process gets another token of a login: with some of its scopes, or for another resource or audience of the same server.")
      ?? .init()
    try longLived.read(&fields)
    try tokenResponse.read(&fields)
    afterSignIn = try fields.optional(
      "afterSignIn", "A request after the sign-in. Its response contains values that later URLs and headers need, such as a tenant.")
    try api.read(&fields)
    try redirect.read(&fields)
    try revocation.read(&fields)
    try logout.read(&fields)
    try device.read(&fields)
    try oauth1.read(&fields)
    try openid.read(&fields)
    variables = try fields.optional("variables", default: .init(), "Values for {names} in the endpoints, such as a tenant or a host.")
    let _: NamedValues<NamedValues<String>>? = try fields.optional(
      "variablesByHost",
      "Further values for {names}, by the value of `host`: a host, `*.` and a domain, or `*` for any other. The first that fits counts.")
    reasons = try fields.optional("reasons", default: .init(), "The reason for each deviation, by member name.")
    unconfirmed = try fields.optional("unconfirmed", default: [], "Members whose facts no source confirms.")
    sources = try fields.optional(
      "sources", default: .init(),
      "Where facts come from: a document or a list, with its date, and the members whose facts it states. `*` stands for all "
        + "members that neither another source nor `unconfirmed` has.")
    try check(fields)
  }

  private func check(_ fields: ObjectReader) throws(FieldError) {
    try checkAliases(fields)
    // Terminals and pages show the name, where a control character may act as a command.
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value || 0x2028...0x2029 ~= $0.value }) {
      throw FieldError(fields.pointer("name"), "must not contain control characters")
    }
    if token.requestSignature != nil, longLived.longLivedMethod == .get {
      throw FieldError(fields.pointer("requestSignature"), "signs the body, so the parameters must be in the body")
    }
  }

  /// Returns what is wrong with an endpoint.
  ///
  /// Endpoints receive tokens and secrets, so they must use https, or http on this machine (RFC 6749, 3.1 and 3.2; RFC 8252, 8.3). An endpoint has no
  /// fragment (RFC 6749, 3.1). A page may have a path as its fragment, since single-page apps route by it and browsers do not send it.
  package static func problem(ofEndpoint text: String, isPage: Bool = false) -> String? {
    guard let url = try? URLParts(text) else { return "is not an absolute URL" }
    guard url.hasSafeScheme else {
      return "must be an https URL; only this machine, and hosts in httpHosts of the configuration, may use http"
    }
    if url.userInfo != nil { return "must not contain a user name" }
    if let fragment = url.fragment {
      let isPath = fragment.utf8.first == UInt8(ascii: "/") && !fragment.utf8.contains(UInt8(ascii: "?"))
      if !isPage || !isPath { return isPage ? "must not have a fragment other than a path" : "must not have a fragment" }
    }
    return nil
  }

  /// Whether a client must be registered first. OpenID 2.0 has no clients, except for hybrids with OAuth.
  package var needsClient: Bool { protocolName != .openid2 || openid.openidClientParameter != nil }

  package func write(to writer: inout JSONWriter) { writer.value(source) }
}

// A provider's description may contain a private key, so these descriptions leave it out.

extension Provider: Confidential {}
extension ProviderReference: Confidential {}

extension Provider {
  /// A member in which a provider deviates from the specification, with the reason.
  package struct Deviation: Sendable {
    /// The member's name, or a path such as `variables.tenant` if the reason is about a part of it.
    package var member: String
    package var value: JSON
    package var reason: String?
    package var isUnconfirmed: Bool

    package init(member: String, value: JSON, reason: String?, isUnconfirmed: Bool) {
      (self.member, self.value, self.reason, self.isUnconfirmed) = (member, value, reason, isUnconfirmed)
    }
  }

  /// Members that are facts of every provider, not deviations.
  private static let facts: Set<String> = [
    "$schema", "name", "registrationPage", "preset", "protocol", "issuer", "apiBase", "apiHosts", "gitHosts", "registryHosts", "jwksUri",
    "discovery", "scopes", "reasons", "unconfirmed", "sources",
  ]

  /// Returns whether a description must give a reason for this member.
  package static func isDeviation(_ member: String) -> Bool { !facts.contains(member) && !member.hasSuffix("Endpoint") }

  /// The issuer, safe to show.
  package var shownIssuer: String? { issuer.map(SecretName.withoutUserInfo) }

  /// The registration page with its variables filled in.
  package var shownRegistrationPage: String? { registrationPage.map { Template($0).filled { variables[$0] } } }

  /// Every deviation, and every other member with a reason.
  package var deviations: [Deviation] {
    let described = source.members ?? []
    let parts = reasons.pairs.compactMap { reason in
      reason.name.contains(".") ? DottedPath(reason.name)?.value(in: source).map { JSON.Member(reason.name, $0) } : nil
    }
    let whole = described.filter { member in
      // A member whose parts have reasons is listed by its parts.
      let isTold = reasons[member.name] != nil || !parts.contains { $0.name.hasPrefix(member.name + ".") }
      return (Self.isDeviation(member.name) && isTold) || reasons[member.name] != nil || unconfirmed.contains(member.name)
    }
    return (whole + parts).map { member in
      Deviation(
        member: member.name, value: member.value.shown(at: member.name), reason: reasons[member.name],
        isUnconfirmed: unconfirmed.contains(member.name))
    }
  }
}
