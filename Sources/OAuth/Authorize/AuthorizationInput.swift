import Jansson
import OAuthCore
import Store

/// What a client asks for with `authorize`, `addScopes` or `importGrant`. A member that is nil comes from the configuration or has a default.
package struct AuthorizationInput: Sendable {
  /// What the plan is for.
  enum Purpose { case signIn, addScopes, importGrant }

  /// How the user or the client signs in.
  package enum Flow: String, StringEnum {
    case auto, browser, device, clientCredentials, jwtBearer, tokenExchange, identityAssertion

    /// The way of getting a token without a user; nil if a user signs in.
    package var clientFlow: ClientRequest.Flow? { ClientRequest.Flow(rawValue: rawValue) }

    /// Whether the client gets a token for itself. No user signs in and no page is opened.
    package var isForClient: Bool { clientFlow != nil }

    /// Whether the request has an assertion or a token in the place of a client.
    var mayLackClient: Bool { self == .jwtBearer || self == .tokenExchange }

    package var documentation: String {
      switch self {
      case .auto:
        "The process chooses the browser. It chooses the device flow if the provider has one, there is no browser, and the client neither opens the "
          + "page nor sets `redirectUri`. An account with a token for the client itself keeps its flow."
      case .browser: "The user signs in on a page that redirects to this process or to the client."
      case .device: "The user types a code on a page of any device (RFC 8628)."
      case .clientCredentials: "The client gets a token for itself (RFC 6749, 4.4)."
      case .jwtBearer: "The client exchanges an assertion, or signs one with its key (RFC 7523, 2.1)."
      case .tokenExchange: "The client exchanges a token of another service (RFC 8693)."
      case .identityAssertion:
        "The client exchanges the ID token of another account for an assertion, and that for a token (the draft of identity assertion grants)."
      }
    }
  }

  /// Whether a page may be opened.
  package enum Interaction: String, StringEnum {
    case ifNeeded, never, always

    package var documentation: String {
      switch self {
      case .ifNeeded: "The process asks the user if there is no usable grant."
      case .never: "The process never asks the user."
      case .always: "The process always asks the user. A different user may sign in."
      }
    }
  }

  package var account: String?
  package var provider: ProviderReference?
  package var clientId: String?
  /// What authenticates the client, if the caller brings it.
  package var credentials = ClientCredentials()
  /// The URL of a document that describes the client. It is the client's ID at servers that read it.
  package var clientMetadata: String?
  package var scopes: [String]?
  package var flow: Flow?
  package var redirectUri: String?
  package var opensBrowser: Bool?
  /// Whether the client opens pages itself, which decides if neither the request nor the configuration does.
  package var clientOpensPages = false
  package var interaction = Interaction.ifNeeded
  /// Whether a user asks to sign in. A page then also helps if the token may have ended, or if a refresh was refused for another reason.
  package var isUserRequest = false
  package var waits = true
  /// Whether the sign-in goes on in another process if this one ends.
  package var outlives = false
  /// Seconds after which a sign-in ends.
  package var timeout: Int?
  /// Whether the tokens are bound to a key (RFC 9449).
  package var dpop: Bool?
  package var parameters: NamedValues<String>?
  /// Parameters in addition to the caller's or the configured ones.
  var addedParameters: [(name: String, value: String)] = []
  /// What a service demands of the sign-in.
  var demandedClaims: String?
  /// What the caller brings for a flow without a user.
  package var clientRequest = ClientRequest()
  /// Values for {names} in the provider's description.
  package var variables: NamedValues<String>?
  /// The provider if neither the request nor the configuration names one.
  var usualProvider: ProviderReference?
  var purpose = Purpose.signIn
  /// The id of the request.
  package var requestID: JSON?

  package init() {}

  /// Whether the caller, or an imported file, describes the provider, instead of naming a preset or a provider file.
  var describesProvider: Bool {
    switch provider ?? usualProvider {
    case nil, .preset: false
    case .url, .description: true
    }
  }

  /// Rejects parameters that stand for a whole request (RFC 9101, 5): the provider would ignore the process's own parameters, such as `state`.
  package static func check(parameters: NamedValues<String>?, at path: String) throws(FieldError) {
    for name in ["request", "request_uri"] where parameters?[name] != nil {
      throw FieldError(ObjectReader.pointer(to: name, in: path), "replaces the process's own parameters")
    }
  }

  /// Rejects a URL that cannot be a client's ID (draft-ietf-oauth-client-id-metadata-document, 3).
  package static func check(clientMetadata: String?, at path: String) throws(FieldError) {
    guard let clientMetadata else { return }
    guard let url = try? URLParts(clientMetadata), url.scheme == "https", url.path.utf8.count > 1, url.fragment == nil, url.userInfo == nil
    else { throw FieldError(path, "must be an https URL with a path, without a fragment and a user name") }
  }

  /// Rejects a scope with a blank (RFC 6749, 3.3). The provider would grant it as several scopes, and it would always seem to be missing.
  package static func check(scopes: [String]?, at path: String) throws(FieldError) {
    for (index, scope) in (scopes ?? []).enumerated() where scope.isEmpty || scope.utf8.contains(where: { $0 <= 0x20 }) {
      throw FieldError("\(path)/\(index)", "must be one scope without blanks", ": write each scope as an element of its own")
    }
  }
}

extension AuthorizationInput {
  /// Returns how the request wants to be served. Its own members win over the configured ones.
  func request(_ configured: ConfiguredAccount?, _ stored: Grant?) -> AuthorizationPlan.Request {
    var request = AuthorizationPlan.Request()
    // More scopes of a token that comes from the configuration come from there, too.
    let isConfigured = stored?.isForClient == true && configured?.sources.isEmpty == false
    if purpose == .signIn || isConfigured { request.flow = flow ?? configured?.flow ?? .auto }
    request.interaction = interaction
    request.isUserRequest = isUserRequest && interaction != .never
    request.redirectUri = redirectUri ?? configured?.redirectUri
    if redirectUri == nil || redirectUri == configured?.redirectUri { request.listen = configured?.listen }
    request.namesRedirect = redirectUri != nil || request.listen != nil
    request.browser = configured?.browser
    request.opensBrowser = opensBrowser ?? configured?.openBrowser ?? (request.browser != nil || !clientOpensPages)
    (request.waits, request.outlives) = (waits, outlives)
    request.timeout = timeout ?? configured?.timeout ?? ConfiguredAccount.usualTimeout
    request.parameters = parameters ?? configured?.parameters ?? .init()
    request.parameters = request.parameters.merged(with: NamedValues(addedParameters))
    complete(&request, configured)
    request.demandedClaims = demandedClaims
    request.addsScopes = purpose == .addScopes
    request.requestID = requestID
    if request.addsScopes, request.parameters["login_hint"] == nil, let hint = stored?.email ?? stored?.subject {
      request.parameters.pairs.append((name: "login_hint", value: hint))
    }
    return request
  }

  /// The fault of a provider or of variables in the params.
  package struct Fault: Error { package var failure: OAuthFailure }

  /// Returns the failure as a fault of the params or of the configuration, whichever wrote the member that it is about.
  func blaming(_ failure: OAuthFailure, configuration: ConfiguredAccount?) -> any Error {
    guard failure.kind == .configurationInvalid, let path = failure["path"]?.string else { return failure }
    let own = (variables?.pairs ?? []).map { ObjectReader.pointer(to: $0.name, in: "/variables") } + (provider == nil ? [] : ["/provider"])
    if own.contains(where: path.hasPrefix) { return Fault(failure: failure) }
    return provider == nil ? configuration.map(failure.blaming) ?? failure : failure
  }
}
