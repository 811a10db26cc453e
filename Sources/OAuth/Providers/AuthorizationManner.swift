import Jansson

/// How the authorization request deviates (RFC 6749, 4.1.1), and what the redirect brings back.
package struct AuthorizationManner: Sendable {
  /// RFC 7636: whether a code challenge is sent.
  package enum CodeChallenge: String, FieldWord {
    case s256 = "S256"
    case off
    /// Like S256, and nobody who starts from the preset can switch it off: the provider refuses a request without it.
    case required
  }

  /// Whether something is sent at all.
  package enum Switch: String, FieldWord { case on, off }

  /// RFC 9207: whether a redirect may leave out who sent it.
  package enum RedirectIssuer: String, FieldWord { case optional, required }

  package var scopes: [String] = []
  package var scopeSeparator = " "
  /// nil where no parameter carries scopes, which the description writes as `none`.
  package var scopeParameter: String? = "scope"
  package var pkce = CodeChallenge.s256
  package var authorizationParameters = NamedValues<String>()
  package var parameterNames = NamedValues<String>()
  package var codeParameter = "code"
  package var stateParameter = "state"
  package var callbackMembers: [String] = []
  package var redirectIssuer = RedirectIssuer.optional
  package var pushedAuthorizationRequests = Switch.off
  package var registrationParameters = NamedValues<JSON>()
  package var resourceIndicator = Switch.on
  package var signInAgainWithin = 0
  package var scopeAliases = NamedValues<String>()
  package var nonce = Switch.on
  package var consentRetry = NamedValues<String>()

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    scopes = try fields.optional("scopes", "Scopes that are asked for when the caller names none.") ?? []
    scopeSeparator = try fields.optional("scopeSeparator", "What stands between two scopes; a space by default.") ?? " "
    let parameter: String? = try fields.optional(
      "scopeParameter", "The parameter that carries the scopes: scope by default; none: no such parameter is sent.")
    scopeParameter = parameter == "none" ? nil : parameter ?? "scope"
    pkce =
      try fields.optional(
        "pkce", "Whether a code challenge is sent (RFC 7636): S256 by default; what is required cannot be switched off.")
      ?? .s256
    authorizationParameters = try fields.optional("authorizationParameters", "Extra parameters of the authorization request.") ?? .init()
    parameterNames =
      try fields.optional(
        "parameterNames",
        "The provider's names of standard parameters in authorization, token and refresh requests; an empty one leaves the parameter out.")
      ?? .init()
    codeParameter =
      try fields.optional("codeParameter", "The redirect's parameter that holds the code; code by default.") ?? "code"
    stateParameter =
      try fields.optional(
        "stateParameter",
        "The parameter that carries our state to the page and back on the redirect, which is known by it; state by default.")
      ?? "state"
    callbackMembers =
      try fields.optional(
        "callbackMembers", "Parameters of the redirect that are kept with the account, usable as {name} in later endpoints and apiHeaders.")
      ?? []
    redirectIssuer =
      try fields.optional(
        "redirectIssuer", "Whether a redirect without `iss` is refused (RFC 9207, 2.4); optional by default.") ?? .optional
    pushedAuthorizationRequests =
      try fields.optional(
        "pushedAuthorizationRequests",
        "Whether the provider is told the request before the page is opened (RFC 9126), at its pushedAuthorizationRequestEndpoint; off where "
          + "nothing is said. The page is then good for the minutes that the provider gives it.")
      ?? .off
    registrationParameters =
      try fields.optional(
        "registrationParameters", "What a client says of itself when it registers itself (RFC 7591, 2), such as client_name or contacts.")
      ?? .init()
    resourceIndicator =
      try fields.optional(
        "resourceIndicator",
        "Whether a resource among authorize's parameters is sent, and repeated at the token endpoint (RFC 8707); on by default.")
      ?? .on
    signInAgainWithin =
      try fields.optional(
        "signInAgainWithin", in: 0...31_536_000,
        "Seconds before the end of a token that nothing can refresh in which authorize signs in again; 0 by default.")
      ?? 0
    scopeAliases =
      try fields.optional(
        "scopeAliases", "Scopes that are granted under another name than they are asked for, so that none of them counts as missing.")
      ?? .init()
    nonce =
      try fields.optional(
        "nonce",
        "Whether a nonce is sent with the scope openid, which the ID token then has to repeat; on by default, off for a provider "
          + "that does not repeat it.")
      ?? .on
    consentRetry =
      try fields.optional(
        "consentRetry",
        "Parameters with which the page is asked for once more where a refresh token was wanted, none came and none is kept.")
      ?? .init()
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    if scopeSeparator.isEmpty { throw FieldError(fields.pointer("scopeSeparator"), "must not be empty") }
    let names = [("scopeParameter", scopeParameter ?? "none"), ("codeParameter", codeParameter), ("stateParameter", stateParameter)]
    for (member, name) in names where name.isEmpty {
      throw FieldError(fields.pointer(member), "must not be empty")
    }
    for (index, name) in callbackMembers.enumerated() where name.isEmpty || ["code", "state", codeParameter, stateParameter].contains(name)
    {
      throw FieldError(fields.pointer("callbackMembers") + "/\(index)", "has to be a parameter other than the code and the state")
    }
    // Without these nothing protects the user; a provider that does not take them cannot be used safely.
    for name in ["code_challenge", "code_challenge_method", "code_verifier"] where parameterNames[name] == "" {
      throw FieldError(fields.pointer("parameterNames") + "/\(name)", "must not be empty, since the sign-in is not safe without it")
    }
    if parameterNames["state"] != nil {
      throw FieldError(
        fields.pointer("parameterNames") + "/state", "cannot be renamed, but stateParameter can, by which a redirect is known")
    }
    // Under the name of something else it would be replaced, or be read as that.
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

  /// The resource that every token is for (RFC 8707), as a description says it.
  var resource: String? { resourceIndicator == .on ? authorizationParameters["resource"] : nil }

  /// The name under which a standard parameter is sent; nil where it is left out.
  func name(of parameter: String) -> String? {
    switch parameterNames[parameter] {
    case ""?: nil
    case let name?: name
    case nil: parameter
    }
  }
}
