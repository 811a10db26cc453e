import Jansson

/// Who grants, resolved: where its endpoints are and how it deviates from the specifications. Everything is data; no code asks for a provider by name.
package struct Provider: FieldObject {
  package static let placeholder = Provider()

  /// Which specification is spoken.
  package enum ProtocolName: String, FieldWord { case oauth2, oauth1, openid2 }

  /// RFC 7636: whether a code challenge is sent.
  package enum PKCE: String, FieldWord { case s256 = "S256", off }

  /// How the client shows who it is at the token endpoint (RFC 6749, 2.3.1), never two ways at once.
  package enum ClientAuthentication: String, FieldWord { case basic, body, none }

  /// How a token is taken back.
  package enum RevocationStyle: String, FieldWord {
    /// A form with the token and a hint (RFC 7009).
    case rfc7009
    /// GitHub's: DELETE with the client's Basic credentials and the token as JSON.
    case deleteWithBasic
    case none
  }

  /// What people call it.
  package var name = ""
  /// The account's name where the caller gives none: the preset's, else the host's.
  package var defaultAccount = ""
  package var preset: String?
  package var protocolName = ProtocolName.oauth2
  package var issuer: String?
  package var authorizationEndpoint: String?
  package var tokenEndpoint: String?
  package var revocationEndpoint: String?
  package var introspectionEndpoint: String?
  package var userInfoEndpoint: String?
  package var deviceAuthorizationEndpoint: String?
  package var registrationEndpoint: String?
  package var pushedAuthorizationRequestEndpoint: String?
  package var jwksUri: String?
  package var requestTokenEndpoint: String?
  package var accessTokenEndpoint: String?
  package var signatureMethod: String?
  package var privateKey: Secret?
  package var openidEndpoint: String?
  package var apiBase: String?
  package var apiHosts: [String]?
  package var scopes: [String] = []
  package var scopeSeparator = " "
  package var pkce = PKCE.s256
  package var clientAuthentication: ClientAuthentication?
  package var authorizationParameters = NamedValues<String>()
  package var tokenParameters = NamedValues<String>()
  package var refreshParameters = NamedValues<String>()
  package var sendsRedirectUriOnRefresh = false
  package var revocationStyle: RevocationStyle?
  package var redirectHost: String?
  package var redirectPath: String?
  package var redirectPorts: [Int] = []
  package var variables = NamedValues<String>()
  package var apiHeaders = NamedValues<String>()
  package var reasons = NamedValues<String>()
  package var unconfirmed: [String] = []
  /// The description that this was read from, as it is kept with a grant.
  package var source = JSON.object([])

  package init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    name = try fields.optional("name", "What people call the provider.") ?? ""
    preset = try fields.optional("preset", "The preset to start from; every other member overrides it.")
    protocolName = try fields.optional("protocol", "The specification that is spoken; oauth2 where nothing is said.") ?? .oauth2
    issuer = try fields.optional("issuer", "The issuer's identifier, compared with `iss` (RFC 9207).")
    authorizationEndpoint = try fields.optional("authorizationEndpoint", "Where the user is sent to (RFC 6749, 3.1).")
    tokenEndpoint = try fields.optional("tokenEndpoint", "Where codes and refresh tokens are exchanged (RFC 6749, 3.2).")
    revocationEndpoint = try fields.optional("revocationEndpoint", "Where tokens are taken back (RFC 7009).")
    introspectionEndpoint = try fields.optional("introspectionEndpoint", "Where a token's state can be asked for (RFC 7662).")
    userInfoEndpoint = try fields.optional("userInfoEndpoint", "Where claims about the user are (OpenID Connect Core, 5.3).")
    deviceAuthorizationEndpoint = try fields.optional("deviceAuthorizationEndpoint", "Where device codes come from (RFC 8628).")
    registrationEndpoint = try fields.optional("registrationEndpoint", "Where a client registers itself (RFC 7591).")
    pushedAuthorizationRequestEndpoint = try fields.optional(
      "pushedAuthorizationRequestEndpoint", "Where authorization requests are pushed to (RFC 9126).")
    jwksUri = try fields.optional("jwksUri", "Where the issuer's public keys are (RFC 7517).")
    requestTokenEndpoint = try fields.optional("requestTokenEndpoint", "OAuth 1.0a: temporary credentials (RFC 5849, 2.1).")
    accessTokenEndpoint = try fields.optional("accessTokenEndpoint", "OAuth 1.0a: token credentials (RFC 5849, 2.3).")
    signatureMethod = try fields.optional("signatureMethod", "OAuth 1.0a: how requests are signed (RFC 5849, 3.4).")
    privateKey = try fields.optional("privateKey", "OAuth 1.0a: the RSA key in PEM.")
    openidEndpoint = try fields.optional("openidEndpoint", "OpenID 2.0: the OP endpoint.")
    apiBase = try fields.optional("apiBase", "What relative URLs of callAPI are relative to.")
    apiHosts = try fields.optional(
      "apiHosts", "Hosts that the token may go to; where nothing is said, those of apiBase and of the endpoints.")
    scopes = try fields.optional("scopes", "Scopes that are asked for when the caller names none.") ?? []
    scopeSeparator = try fields.optional("scopeSeparator", "What stands between two scopes; a space where nothing is said.") ?? " "
    pkce = try fields.optional("pkce", "Whether a code challenge is sent (RFC 7636).") ?? .s256
    clientAuthentication = try fields.optional(
      "clientAuthentication", "How a client with a secret shows it: by Basic, in the body, or not at all. Never both.")
    authorizationParameters = try fields.optional("authorizationParameters", "Extra parameters of the authorization request.") ?? .init()
    tokenParameters = try fields.optional("tokenParameters", "Extra parameters when a code is exchanged.") ?? .init()
    refreshParameters = try fields.optional("refreshParameters", "Extra parameters when a token is refreshed.") ?? .init()
    sendsRedirectUriOnRefresh =
      try fields.optional("sendsRedirectUriOnRefresh", "Whether a refresh repeats the redirect URI.") ?? false
    revocationStyle = try fields.optional("revocationStyle", "How a token is taken back.")
    redirectHost = try fields.optional("redirectHost", "The loopback host of redirects: 127.0.0.1, [::1] or localhost.")
    redirectPath = try fields.optional("redirectPath", "The path of loopback redirects.")
    redirectPorts =
      try fields.optional("redirectPorts", "The ports of loopback redirects, tried in order; any free one where nothing is said.") ?? []
    variables = try fields.optional("variables", "Values for {names} in the endpoints, such as a tenant or a host.") ?? .init()
    apiHeaders = try fields.optional("apiHeaders", "Headers that every call of the API needs; the caller's own win.") ?? .init()
    reasons = try fields.optional("reasons", "Why each deviation is there, by member name.") ?? .init()
    unconfirmed = try fields.optional("unconfirmed", "Members whose facts have not been confirmed with the provider.") ?? []
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    let endpoints: [(String, String?)] = [
      ("authorizationEndpoint", authorizationEndpoint), ("tokenEndpoint", tokenEndpoint), ("revocationEndpoint", revocationEndpoint),
      ("introspectionEndpoint", introspectionEndpoint), ("userInfoEndpoint", userInfoEndpoint),
      ("deviceAuthorizationEndpoint", deviceAuthorizationEndpoint), ("registrationEndpoint", registrationEndpoint),
      ("pushedAuthorizationRequestEndpoint", pushedAuthorizationRequestEndpoint), ("jwksUri", jwksUri),
      ("requestTokenEndpoint", requestTokenEndpoint), ("accessTokenEndpoint", accessTokenEndpoint),
      ("openidEndpoint", openidEndpoint), ("apiBase", apiBase),
    ]
    for (member, value) in endpoints {
      // A {name} that is not filled in yet is taken for the host that allows most; what stands around it has to be right already.
      if let value, let problem = Self.problem(ofEndpoint: Self.replacingNames(in: value)) {
        throw FieldError(fields.pointer(member), problem)
      }
    }
    if let redirectHost, !["127.0.0.1", "[::1]", "localhost"].contains(redirectHost) {
      throw FieldError(fields.pointer("redirectHost"), "has to be 127.0.0.1, [::1] or localhost")
    }
    if scopeSeparator.isEmpty { throw FieldError(fields.pointer("scopeSeparator"), "must not be empty") }
    for (index, host) in (apiHosts ?? []).enumerated() where !AllowedHosts.isPattern(Self.replacingNames(in: host)) {
      throw FieldError(fields.pointer("apiHosts") + "/\(index)", "has to be a host, with *. before it or a port after it where need be")
    }
    for (index, port) in redirectPorts.enumerated() where !(1...65535).contains(port) {
      throw FieldError(fields.pointer("redirectPorts") + "/\(index)", "has to be a port from 1 to 65535")
    }
  }

  /// Tokens and secrets travel to these places, so nothing but https will do, or http to this very machine (RFC 6749, 3.1 and 3.2; RFC 8252, 8.3).
  package static func problem(ofEndpoint text: String) -> String? {
    guard let url = try? URLParts(text) else { return "is no absolute url" }
    guard url.scheme == "https" || (url.scheme == "http" && url.isLoopback) else {
      return "has to be an https url (http on the loopback interface alone)"
    }
    if url.userInfo != nil { return "must not contain a user name" }
    if url.fragment != nil { return "must not have a fragment" }
    return nil
  }

  private static func replacingNames(in text: String) -> String {
    var parts = text.split(separator: "{", omittingEmptySubsequences: false)
    for index in parts.indices.dropFirst() {
      guard let end = parts[index].firstIndex(of: "}") else { return text }
      parts[index] = "localhost" + parts[index][parts[index].index(after: end)...]
    }
    return parts.joined()
  }

  package func write(to writer: inout JSONWriter) { writer.value(source) }
}
