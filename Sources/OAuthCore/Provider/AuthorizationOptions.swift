import Jansson

/// How the authorization request and the redirect deviate (RFC 6749, 4.1.1).
package struct AuthorizationOptions: Sendable {
  /// Whether a code challenge is sent (RFC 7636).
  package enum CodeChallenge: String, DescribedEnum {
    case s256 = "S256"
    case hexadecimal = "S256-hex"
    case off, required
  }

  /// Whether something is sent.
  package enum Switch: String, StringEnum { case on, off }

  /// The format of a client's registration.
  package enum RegistrationFormat: String, DescribedEnum {
    case json, form
  }

  /// How scopes are compared.
  package enum ScopeCase: String, DescribedEnum {
    case exact, ignore
  }

  /// Whether a redirect may omit `iss` (RFC 9207).
  package enum RedirectIssuer: String, DescribedEnum {
    case optional, required
  }

  package var scopes: [String] = []
  package var scopeSeparator = " "
  /// nil if no parameter carries scopes; the description writes this as `none`.
  package var scopeParameter: String? = "scope"
  package var pkce = CodeChallenge.s256
  package var authorizationParameters = NamedValues<String>()
  package var authorizationFragment: String?
  package var redirectErrorNames = NamedValues<String>()
  package var parameterNames = NamedValues<String>()
  package var codeParameter = "code"
  package var stateParameter = "state"
  package var callbackMembers: [String] = []
  package var redirectIssuer = RedirectIssuer.optional
  package var pushedAuthorizationRequests = Switch.off
  package var registrationParameters = NamedValues<JSON>()
  package var registrationFormat = RegistrationFormat.json
  package var resourceIndicator = Switch.on
  package var signInAgainWithin = 0
  package var scopeAliases = NamedValues<String>()
  package var scopeCase = ScopeCase.exact
  package var scopePrefix = ""
  package var nonce = Switch.on
  package var consentRetry = NamedValues<String>()

  package init() {}

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    scopes = try fields.optional("scopes", default: [], "The scopes that the process requests if the caller names none.")
    scopeSeparator = try fields.optional("scopeSeparator", default: " ", "The text between two scopes.")
    let parameter = try fields.optional(
      "scopeParameter", default: "scope", "The parameter that carries the scopes. With `none`, no parameter carries them.")
    scopeParameter = parameter == "none" ? nil : parameter
    pkce = try fields.optional("pkce", default: .s256, "Whether the process sends a code challenge (RFC 7636).")
    authorizationParameters = try fields.optional(
      "authorizationParameters", default: .init(), "Extra parameters of the authorization request.")
    authorizationFragment = try fields.optional(
      "authorizationFragment", "The fragment that follows the parameters in the URL of the authorization page.")
    redirectErrorNames = try fields.optional(
      "redirectErrorNames", default: .init(),
      "The standard names of errors in the redirect (RFC 6749, 4.1.2.1), by the provider's own names.")
    parameterNames = try fields.optional(
      "parameterNames", default: .init(),
      "The provider's names of standard parameters in authorization, token and refresh requests. An empty name leaves the "
        + "parameter out.")
    codeParameter = try fields.optional("codeParameter", default: "code", "The redirect's parameter with the code.")
    stateParameter = try fields.optional(
      "stateParameter", default: "state",
      "The parameter with the process's `state` in the authorization request and in the redirect. It identifies the redirect.")
    callbackMembers = try fields.optional(
      "callbackMembers", default: [],
      "Parameters of the redirect that the process stores with the account. Later endpoints and `apiHeaders` may contain "
        + "them as {name}.")
    redirectIssuer = try fields.optional("redirectIssuer", default: .optional, "Whether a redirect must have `iss` (RFC 9207, 2.4).")
    pushedAuthorizationRequests = try fields.optional(
      "pushedAuthorizationRequests", default: .off,
      "Whether the process pushes the authorization request to the provider before the page opens (RFC 9126). The page then "
        + "works for some minutes only, as the provider decides.")
    registrationParameters = try fields.optional(
      "registrationParameters", default: .init(),
      "Members of the client's own registration (RFC 7591, 2), such as `client_name` or `contacts`.")
    registrationFormat = try fields.optional("registrationFormat", default: .json, "The format of the client's own registration.")
    resourceIndicator = try fields.optional(
      "resourceIndicator", default: .on,
      "Whether the process sends a `resource` among the parameters and repeats it at the token endpoint (RFC 8707).")
    signInAgainWithin = try fields.optional(
      "signInAgainWithin", in: 0...31_536_000, default: 0,
      "`authorize` signs in again within this many seconds before the end of a token that cannot be refreshed.")
    scopeAliases = try fields.optional(
      "scopeAliases", default: .init(),
      "Scopes that the provider grants under a name other than the requested one. They do not count as missing.")
    scopeCase = try fields.optional("scopeCase", default: .exact, "How the process compares requested and granted scopes.")
    scopePrefix = try fields.optional(
      "scopePrefix", default: "", "A beginning that a scope may have or lack, such as the URL of the provider's own API.")
    nonce = try fields.optional(
      "nonce", default: .on,
      "Whether the process sends a nonce with the scope `openid`. The ID token must then repeat it. Some providers do not " + "repeat it.")
    consentRetry = try fields.optional(
      "consentRetry", default: .init(),
      "Parameters of a second authorization request. The process sends it if it requested a refresh token, received none and "
        + "has none stored.")
    try check(fields)
  }

  private func check(_ fields: ObjectReader) throws(FieldError) {
    if scopeSeparator.isEmpty { throw FieldError(fields.pointer("scopeSeparator"), "must not be empty") }
    let names = [("scopeParameter", scopeParameter ?? "none"), ("codeParameter", codeParameter), ("stateParameter", stateParameter)]
    for (member, name) in names where name.isEmpty { throw FieldError(fields.pointer(member), "must not be empty") }
    for (index, name) in callbackMembers.enumerated() where name.isEmpty || ["code", "state", codeParameter, stateParameter].contains(name)
    { throw FieldError(fields.pointer("callbackMembers") + "/\(index)", "must be a parameter other than the code and the state") }
    if let fragment = authorizationFragment, !fragment.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }) {
      throw FieldError(fields.pointer("authorizationFragment"), "must have only printable ASCII characters and no #")
    }
    // These parameters protect the user. A provider that does not accept them cannot be used safely.
    for name in ["code_challenge", "code_challenge_method", "code_verifier"] where parameterNames[name] == "" {
      throw FieldError(fields.pointer("parameterNames") + "/\(name)", "must not be empty, since the sign-in is not safe without it")
    }
    if parameterNames["state"] != nil {
      throw FieldError(
        fields.pointer("parameterNames") + "/state", "cannot be renamed, but stateParameter can, by which a redirect is known")
    }
    // Under another parameter's name, the state would be replaced or misread.
    let isTaken = stateParameter != "state" && (Self.taken.contains(stateParameter) || authorizationParameters[stateParameter] != nil)
    if isTaken || [codeParameter, scopeParameter].contains(stateParameter)
      || parameterNames.pairs.contains(where: { $0.value == stateParameter })
    {
      throw FieldError(fields.pointer("stateParameter"), "is the name of another parameter")
    }
  }

  private static let taken: Set<String> = [
    "response_type", "client_id", "redirect_uri", "scope", "code", "nonce", "resource", "code_challenge", "code_challenge_method", "error",
    "iss", "error_description", "error_uri",
  ]

  /// The resource of every token (RFC 8707), from the description.
  package var resource: String? { resourceIndicator == .on ? authorizationParameters["resource"] : nil }

  /// Returns the name under which a standard parameter is sent; nil if it is left out.
  package func name(of parameter: String) -> String? {
    switch parameterNames[parameter] {
    case ""?: nil
    case let name?: name
    case nil: parameter
    }
  }
}

/// How to end the provider's own browser session (OpenID Connect RP-Initiated Logout 1.0, 2).
package struct LogoutOptions: Sendable {
  package var endSessionEndpoint: String?
  package var endSessionParameters = Self.usual

  /// The client and the user. The ID token, which some providers require, is never sent, because clients show and log this URL.
  private static let usual = NamedValues<String>([("client_id", "{clientId}"), ("logout_hint", "{email}")])
  private static let names = ["clientId", "email", "subject"]

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    endSessionEndpoint = try fields.endpoint(
      "endSessionEndpoint",
      "The page that ends the provider's session in the browser (OpenID Connect RP-Initiated Logout 1.0). `signOut` and "
        + "`revoke` return it for the client to open.")
    endSessionParameters = try fields.optional(
      "endSessionParameters", default: Self.usual,
      "The parameters of the logout page. They may contain {clientId}, {email} and {subject}. The process leaves out a "
        + "parameter whose value is unknown.")
    for (name, value) in endSessionParameters.pairs where !Template(value).names.allSatisfy(Self.names.contains) {
      throw FieldError(
        ObjectReader.pointer(to: name, in: fields.pointer("endSessionParameters")), "may contain only {clientId}, {email} and {subject}")
    }
  }
}

extension AuthorizationOptions {
  /// Returns standard parameters under the provider's names, without those that the provider does not accept.
  func renamed(_ parameters: [(String, String)], except isOwn: (String) -> Bool = { _ in false }) -> [(String, String)] {
    parameters.compactMap { parameter in isOwn(parameter.0) ? parameter : name(of: parameter.0).map { ($0, parameter.1) } }
  }

  /// Returns the caller's extra parameters. Drops `resource` (RFC 8707, 2) unless the provider accepts it.
  func sendable(_ parameters: [(name: String, value: String)]) -> [(name: String, value: String)] {
    resourceIndicator == .on ? parameters : parameters.filter { $0.name != "resource" }
  }
}
