import Jansson
import OAuthCore
import Store

/// What a client asks for with `authorize`, `addScopes` or `importGrant`. A plan holds it completed from the account's entry.
@dynamicMemberLookup package struct AuthorizationInput: Sendable {
  /// What the plan is for.
  package enum Purpose { case signIn, addScopes, importGrant }

  /// How the user or the client signs in.
  package enum Flow: String, DescribedEnum {
    case auto, browser, device, clientCredentials, jwtBearer, tokenExchange, identityAssertion

    /// The way of getting a token without a user; nil if a user signs in.
    package var clientFlow: ClientRequest.Flow? { ClientRequest.Flow(rawValue: rawValue) }

    /// Whether the client gets a token for itself. No user signs in and no page is opened.
    package var isForClient: Bool { clientFlow != nil }

    /// Whether the request has an assertion or a token in the place of a client.
    var mayLackClient: Bool { self == .jwtBearer || self == .tokenExchange }
  }

  /// Whether a page may be opened.
  package enum Interaction: String, DescribedEnum {
    case ifNeeded, never, always
  }

  package var account: String?
  package var options = SignInOptions()
  /// Whether the client opens pages itself, which decides if neither the request nor the configuration does.
  package var clientOpensPages = false
  /// Whether a user asks to sign in. A page then also helps if the token may have ended, or if a refresh was refused for another reason.
  package var isUserRequest = false
  /// Whether the process asks for the login of an account that the client has named. The limits are then about that account.
  package var isOwn = false
  /// Whether the sign-in goes on in another process if this one ends.
  package var outlives = false
  /// Parameters in addition to the caller's or the configured ones.
  package var addedParameters: [(name: String, value: String)] = []
  /// What a service demands of the sign-in.
  package var demandedClaims: String?
  /// The provider if neither the request nor the configuration names one.
  package var usualProvider: ProviderReference?
  /// Whether the caller or the account's entry says where the redirect arrives, and so expects one.
  private(set) var namesRedirect = false
  package var purpose = Purpose.signIn
  /// The id of the request.
  package var requestID: JSON?

  package init(account: String? = nil) { self.account = account }

  package subscript<Value>(dynamicMember member: WritableKeyPath<SignInOptions, Value>) -> Value {
    get { options[keyPath: member] }
    set { options[keyPath: member] = newValue }
  }

  /// Whether the caller, or an imported file, describes the provider, instead of naming a preset or a provider file.
  package var describesProvider: Bool {
    switch options.provider ?? usualProvider {
    case nil, .preset: false
    case .url, .description: true
    }
  }

  /// What the caller brings that the account would store, for messages; nil if that is nothing.
  package var broughtSecret: String? {
    if options.credentials.secret != nil { return "a client secret" }
    if options.credentials.key != nil { return "a client key" }
    if options.credentials.certificate != nil { return "a client certificate" }
    return options.clientRequest.firstMember == nil ? nil : "a request for another token"
  }
}

extension AuthorizationInput {
  /// Returns the request as a plan serves it: completed from the account's entry. Its own members win over the configured ones.
  func completed(by configured: ConfiguredAccount?, _ stored: Grant?) -> AuthorizationInput {
    var request = self
    let entry = configured?.options ?? SignInOptions()
    let client = configured?.decides(self, stored) == true ? entry : SignInOptions()
    request.provider = options.provider.map { entry.resource.map($0.with(resource:)) ?? $0 } ?? client.provider
    request.clientId = options.clientId ?? client.clientId
    request.dpop = options.dpop ?? client.dpop
    request.clientMetadata = options.clientMetadata ?? entry.clientMetadata
    request.redirectPorts = entry.redirectPorts
    request.scopes = options.scopes ?? (purpose == .signIn ? entry.scopes : nil)
    // More scopes of a token that comes from the configuration come from there, too.
    let takesFlow = purpose == .signIn || stored?.isForClient == true && !entry.sources.isEmpty
    request.options.flow = takesFlow ? options.flow ?? entry.flow : nil
    request.redirectUri = options.redirectUri ?? entry.redirectUri
    request.listen = request.redirectUri == entry.redirectUri ? entry.listen : nil
    request.browser = entry.browser
    request.openBrowser = options.openBrowser ?? entry.openBrowser
    request.options.timeout = options.timeout ?? entry.timeout
    request.parameters = (options.parameters ?? entry.parameters ?? .init()).merged(with: NamedValues(addedParameters))
    if let flow = request.flow.clientFlow {
      request.clientRequest.flow = flow
      if entry.flow == request.flow {
        request.clientRequest = request.clientRequest.completed(by: entry.clientRequest)
        request.sources = entry.sources
        request.sources.tokens.removeAll { options.clientRequest[$0.member] != nil }
      }
    }
    request.isUserRequest = isUserRequest && options.interaction != .never
    request.namesRedirect = options.redirectUri != nil || request.listen != nil
    if addsScopes, request.parameters["login_hint"] == nil, let hint = stored?.email ?? stored?.subject {
      request.parameters.pairs.append((name: "login_hint", value: hint))
    }
    return request
  }

  // MARK: Members with a default

  package var flow: Flow {
    get { options.flow ?? .auto }
    set { options.flow = newValue }
  }

  package var timeout: Int {
    get { options.timeout ?? SignInOptions.usualTimeout }
    set { options.timeout = newValue }
  }

  package var parameters: NamedValues<String> {
    get { options.parameters ?? .init() }
    set { options.parameters = newValue }
  }

  /// Whether the process opens the page.
  package var opensBrowser: Bool {
    get { options.openBrowser ?? (options.browser != nil || !clientOpensPages) }
    set { options.openBrowser = newValue }
  }

  /// Whether scopes are added to a grant. Declined scopes are then requested again, and only the grant's own user may approve.
  package var addsScopes: Bool { purpose == .addScopes }

  /// The fault of a provider or of variables in the params.
  package struct Fault: Error {
    package var failure: OAuthFailure

    package init(failure: OAuthFailure) { self.failure = failure }
  }

  /// Returns the failure as a fault of the params or of the configuration, whichever wrote the member that it is about.
  func blaming(_ failure: OAuthFailure, configuration: ConfiguredAccount?) -> any Error {
    guard failure.kind == .configurationInvalid, let path = failure["path"]?.string else { return failure }
    let variables = (options.variables?.pairs ?? []).map { ObjectReader.pointer(to: $0.name, in: "/variables") }
    let own = variables + (options.provider == nil ? [] : ["/provider"])
    if own.contains(where: path.hasPrefix) { return Fault(failure: failure) }
    return options.provider == nil ? configuration.map(failure.blaming) ?? failure : failure
  }
}
