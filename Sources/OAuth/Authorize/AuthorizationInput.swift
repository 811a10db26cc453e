import Jansson
import OAuthCore

/// What a client asks for with `authorize`, `addScopes` or `importGrant`. A member that is nil comes from the configuration or has a default.
package struct AuthorizationInput: Sendable {
  /// What the plan is for.
  enum Purpose { case signIn, addScopes, importGrant }

  /// How the user or the client signs in.
  package enum Flow: String, StringEnum {
    case auto, browser, device, clientCredentials

    package var documentation: String {
      switch self {
      case .auto:
        "The process chooses the browser. It chooses the device flow if the provider has one, there is no browser, and the client neither opens the "
          + "page nor sets `redirectUri`. An account with a client-credentials token keeps that flow."
      case .browser: "The user signs in on a page that redirects to this process or to the client."
      case .device: "The user types a code on a page of any device (RFC 8628)."
      case .clientCredentials: "The client gets a token for itself (RFC 6749, 4.4)."
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
      case .always: "The process always asks the user, who may be another user than before."
      }
    }
  }

  package var account: String?
  package var provider: ProviderReference?
  package var clientId: String?
  package var clientSecret: Secret?
  package var scopes: [String]?
  package var flow: Flow?
  package var redirectUri: String?
  package var opensBrowser: Bool?
  /// Whether the client opens pages itself, which decides if neither the request nor the configuration does.
  package var clientOpensPages = false
  package var interaction = Interaction.ifNeeded
  package var waits = true
  /// Seconds after which a sign-in ends.
  package var timeout: Int?
  package var parameters: NamedValues<String>?
  /// Parameters beside the caller's or the configured ones.
  var addedParameters: [(name: String, value: String)] = []
  /// Values for {names} in the provider's description.
  package var variables: NamedValues<String>?
  /// The provider if neither the request nor the configuration names one.
  var usualProvider: ProviderReference?
  var purpose = Purpose.signIn
  /// The id of the request.
  package var requestID: JSON?

  package init() {}

  /// Whether the caller describes the provider, instead of naming a preset or a provider file.
  var describesProvider: Bool {
    switch provider {
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

  /// Rejects a scope with a blank (RFC 6749, 3.3). The provider would grant it as several scopes, and it would always seem to be missing.
  package static func check(scopes: [String]?, at path: String) throws(FieldError) {
    for (index, scope) in (scopes ?? []).enumerated() where scope.isEmpty || scope.utf8.contains(where: { $0 <= 0x20 }) {
      throw FieldError("\(path)/\(index)", "must be one scope without blanks: write each scope as an element of its own")
    }
  }
}

extension AuthorizationInput {
  /// Returns how the request wants to be served. Its own members win over the configured ones.
  func request(_ configured: ConfiguredAccount?, _ stored: Grant?) -> AuthorizationPlan.Request {
    var request = AuthorizationPlan.Request()
    if purpose == .signIn { request.flow = flow ?? configured?.flow ?? .auto }
    request.interaction = interaction
    request.redirectUri = redirectUri ?? configured?.redirectUri
    request.opensBrowser = opensBrowser ?? configured?.openBrowser ?? !clientOpensPages
    request.waits = waits
    request.timeout = timeout ?? configured?.timeout ?? ConfiguredAccount.usualTimeout
    request.parameters = parameters ?? configured?.parameters ?? .init()
    request.parameters.pairs += addedParameters
    request.addsScopes = purpose == .addScopes
    request.requestID = requestID
    if request.addsScopes, request.parameters["login_hint"] == nil, let hint = stored?.email ?? stored?.subject {
      request.parameters.pairs.append((name: "login_hint", value: hint))
    }
    return request
  }

  /// The fault of a provider or of variables in the params.
  package struct Fault: Error {
    package var failure: OAuthFailure
  }

  /// Returns the failure as a fault of the params or of the configuration, whichever wrote the member that it is about.
  func placing(_ failure: OAuthFailure, _ configured: ConfiguredAccount?) -> any Error {
    guard failure.kind == .configurationInvalid, let path = failure["path"]?.string else { return failure }
    let own = (variables?.pairs ?? []).map { ObjectReader.pointer(to: $0.name, in: "/variables") } + (provider == nil ? [] : ["/provider"])
    if own.contains(where: path.hasPrefix) { return Fault(failure: failure) }
    return provider == nil ? configured?.placing(failure) ?? failure : failure
  }
}
