import Jansson
import OAuthCore
import Store

/// Where the configuration has the tokens of a request without a user. They are read for each request.
package struct ClientSources: Sendable {
  var tokens: [(member: String, source: ConfiguredAccount.SecretSource)] = []
  /// A file of Google's, the command in it that may run, the user whom its account acts for, and the service account that it impersonates.
  var serviceAccount: ConfiguredAccount.SecretSource?
  var executable: String?
  var subject: String?
  var impersonate: String?

  /// What a token of another account is.
  private static let accountTexts = [
    "subjectToken": " `{\"account\": NAME}` is that account's access token, or what `subjectTokenType` names, such as its ID token "
      + "(`id_token`). With `identityAssertion` it is the account of the user's identity provider, whose ID token or refresh token counts.",
    "actorToken": " `{\"account\": NAME}` is that account's access token, or what `actorTokenType` names.",
  ]

  var isEmpty: Bool { serviceAccount == nil && tokens.isEmpty }

  subscript(_ member: String) -> ConfiguredAccount.SecretSource? { tokens.first { $0.member == member }?.source }

  init() {}

  init(_ fields: inout ObjectReader) throws(FieldError) {
    for (member, documentation) in ClientRequest.tokens {
      let source = try fields.source(
        member, of: ConfiguredAccount.SecretSource.Kind.token,
        documentation + ", or its source, which is read for each request." + (Self.accountTexts[member] ?? ""))
      if let source { tokens.append((member, source)) }
    }
    serviceAccount = try fields.source(
      "serviceAccount",
      "The source of Google's file for a service account (`service_account`) or a workload of another platform (`external_account`).")
    executable = try fields.optional("executable", "The command of that file, exactly as it is there. No other one runs.")
    subject = try fields.optional("subject", "The e-mail address of the user whom the service account acts for (domain-wide delegation).")
    impersonate = try fields.optional("impersonate", "The e-mail address of the service account that the one of the file impersonates.")
    guard !fields.isDescribing, serviceAccount == nil else { return }
    for (member, value) in [("executable", executable), ("subject", subject), ("impersonate", impersonate)] where value != nil {
      throw FieldError(fields.pointer(member), "needs a serviceAccount")
    }
  }
}

extension ConfiguredAccount {
  /// Where the entry's secrets come from.
  package var secretSources: [SecretSource] {
    [clientSecret, privateKey, sources.serviceAccount].compactMap(\.self) + sources.tokens.map(\.source)
      + (clientCertificate?.sources ?? [])
  }

  /// Whether the account's key or secret, or its identity provider, signs assertions for the provider.
  func hasAssertions(at provider: Provider) -> Bool {
    let signs: [TokenOptions.ClientAuthentication] = [.privateKeyJwt, .clientSecretJwt]
    return privateKey != nil || flow == .identityAssertion || signs.contains(provider.token.clientAuthentication)
  }

  /// Rejects members that the account's flow does not send.
  func checkClientMembers(_ fields: ObjectReader) throws(FieldError) {
    if sources.serviceAccount != nil, let member = sources.tokens.first?.member ?? clientRequest.firstMember {
      throw FieldError(fields.pointer(member), "has no use beside a serviceAccount", ", whose file says what is sent")
    }
    if let member = sources.tokens.first?.member ?? clientRequest.firstMember, !flow.isForClient {
      throw FieldError(fields.pointer(member), "needs a flow without a user", ", such as jwtBearer or tokenExchange")
    }
    guard flow == .identityAssertion else { return }
    if case .account = sources["subjectToken"] { return }
    throw FieldError(fields.pointer("subjectToken"), "must be {\"account\": …}", ": the account of the user's identity provider")
  }
}

extension AuthorizationInput {
  /// Completes what the caller brings for a flow without a user from the account's entry, if that is of the same flow.
  func complete(_ request: inout AuthorizationPlan.Request, _ configured: ConfiguredAccount?) {
    request.clientRequest = clientRequest
    guard let flow = request.flow.clientFlow else { return }
    request.clientRequest.flow = flow
    guard let configured, configured.flow == request.flow else { return }
    request.clientRequest = request.clientRequest.completed(by: configured.clientRequest)
    request.sources = configured.sources
    request.sources.tokens.removeAll { clientRequest[$0.member] != nil }
  }

  /// What the caller brings that the account would store, for messages; nil if that is nothing.
  var broughtSecret: String? {
    if credentials.secret != nil { return "a client secret" }
    if credentials.key != nil { return "a client key" }
    if credentials.certificate != nil { return "a client certificate" }
    return clientRequest.firstMember == nil ? nil : "a request for another token"
  }
}
