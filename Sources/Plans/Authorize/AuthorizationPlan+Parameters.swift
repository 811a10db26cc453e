import Jansson
import OAuthCore
import Store

extension AuthorizationPlan {
  /// The resource that the token is for (RFC 8707): the caller's, else the description's.
  package var resource: String? { request.parameters["resource"] ?? provider.request.resource }

  /// The caller's extra parameters, plus the description's resource if the caller names none.
  package var parameters: [(name: String, value: String)] {
    guard request.parameters["resource"] == nil, let resource = provider.request.resource else { return request.parameters.pairs }
    return request.parameters.pairs + [(name: "resource", value: resource)]
  }

  /// Rejects extra parameters that the process itself sets in this plan's request. They would be dropped, and the caller would not notice.
  ///
  /// `nonce` is not among them: a caller whose own server validates the ID token sends its own. A configured one would be sent more than once.
  package func check(parameters: NamedValues<String>, isConfigured: Bool = false) throws(FieldError) {
    guard provider.protocolName == .oauth2 else { return }
    let own = fixedParameters + (isConfigured ? configurationLimits.map { ($0, $0) } : [])
    for (name, _) in parameters.pairs {
      guard let fixed = own.first(where: { $0.name == name }) else { continue }
      let advice = Self.substitutes[fixed.standard].map { ": use \($0) instead" } ?? ": the process sets this parameter itself"
      throw FieldError(ObjectReader.pointer(to: name, in: "/parameters"), "cannot be set" + advice)
    }
  }

  /// Rejects parameters of the description that the process itself sends under the same name, if they protect the user or make the request what it is.
  /// All others replace those of the process.
  package func checkDescription() throws(OAuthFailure) {
    let (options, token) = (provider.request, provider.token)
    let all = [
      ("authorizationParameters", options.authorizationParameters), ("consentRetry", options.consentRetry),
      ("tokenParameters", token.tokenParameters), ("refreshParameters", token.refreshParameters),
    ]
    for (member, parameters) in all {
      for (name, _) in parameters.pairs where configurationLimits.contains(name) {
        let place = ObjectReader.pointer(to: name, in: "/provider/" + member)
        throw .misconfigured(place, "\(place) cannot be set: the process sends this parameter itself")
      }
    }
  }

  /// The parameters that nothing configured sets, as the provider calls them.
  private var configurationLimits: [String] {
    let options = provider.request
    let names = [
      "response_type", "client_id", "redirect_uri", "code_challenge", "code_challenge_method", "grant_type", "code", "code_verifier",
      "refresh_token", "request", "request_uri", options.stateParameter,
    ]
    return (names + (scopes.contains("openid") ? ["nonce"] : [])).compactMap(options.name(of:))
  }

  /// What the caller uses in the place of a standard parameter.
  private static let substitutes = [
    "client_id": "clientId", "client_secret": "clientSecret", "redirect_uri": "redirectUri", "scope": "scopes",
    "grant_type": "clientGrantType in the provider's description", "assertion": "subjectToken", "client_assertion": "clientAssertion",
  ].merging(ClientRequest.exchanged.map { ($1, $0) }) { old, _ in old }

  /// The parameters that the process sets, by the provider's name and the standard one.
  private var fixedParameters: [(name: String, standard: String)] {
    let options = provider.request
    let scope = options.scopeParameter.map { [(name: $0, standard: "scope")] } ?? []
    let standard: [String]
    var named: [(name: String, standard: String)] = []
    if isForClient {
      // Without scopes, the parameter would have no effect either.
      (standard, named) = (["grant_type", "client_id", "client_secret", "client_assertion"], scope.isEmpty ? [("scope", "scope")] : scope)
      let own = request.flow == .tokenExchange ? ClientRequest.exchanged.map(\.1) : request.flow == .clientCredentials ? [] : ["assertion"]
      named += own.map { ($0, $0) }
    } else if usesDevice {
      standard = ["client_id", "client_secret"]
      if !scopes.isEmpty { named = provider.device.deviceParameterNames["scope"].map { [($0, "scope")] } ?? scope }
    } else {
      let challenge = options.pkce == .off ? [] : ["code_challenge", "code_challenge_method"]
      standard = ["response_type", "client_id", "redirect_uri"] + challenge
      named = (scopes.isEmpty ? [] : scope) + [(options.stateParameter, "state")]
    }
    return named + standard.flatMap { name in ([name] + [options.name(of: name)].compactMap(\.self)).map { ($0, name) } }
  }
}

extension AuthorizationPlan {
  /// The change of the authorization server since the account's grant was issued.
  package var issuerChange: IssuerChange? {
    guard provider.isFoundFromAPI, isFoundAgain, let old = try? stored?.resolvedProvider else { return nil }
    return IssuerChange(from: old, to: provider)
  }

  /// Whether the stored grant's provider was found from the same URL, whatever else the reference says. One that names endpoints is another.
  var isFoundAgain: Bool {
    guard let stored, stored.providerReference?.sorted != provider.reference?.sorted else { return stored != nil }
    return !provider.namesEndpoints && (try? stored.resolvedProvider)?.discovery == provider.discovery
  }
}
