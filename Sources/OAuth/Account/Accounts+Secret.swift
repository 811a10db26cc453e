import Jansson
import Loopback
import OAuthCore
import Store

/// The client's secret at each use: the configuration's, which the user may have replaced since the sign-in.
extension Accounts {
  /// Returns the grant with the secret of the configuration's entry. The stored secret is used if there is no entry or its secret cannot be had.
  /// Throws if there is no secret at all for a client that needs one: a request without it would fail.
  func withSecret(_ grant: Grant, forCalls: Bool = false) async throws -> Grant {
    var grant = grant
    // A refresh may have loaded it for the authorization server alone.
    if forCalls { grant.client.configured.certificate = nil }
    do {
      if let client = try await configuredClient(of: grant, forCalls: forCalls), !client.configured.isEmpty { grant.client.take(client) }
    } catch let error where !(error is CancellationError) {
      guard forCalls ? grant.client.certificate != nil : grant.client.hasCredential else { throw error }
    }
    try grant.client.check(of: grant.account, needsSecret: !forCalls)
    return grant
  }

  /// Returns the grant with the certificate of the configuration's entry, for a request to an API. Hosts that the entry's provider does not name do not
  /// get it: a client can import a grant.
  func withCertificate(_ grant: Grant) async throws -> Grant {
    grant.client.isCertificateConfigured ? try await withSecret(grant, forCalls: true) : grant
  }

  /// Returns the client with the secrets of the account's entry, if the entry's client is the grant's; nil if there is none.
  /// Throws if the grant would send it to an origin that the entry's provider does not name: a client can import a grant.
  private func configuredClient(of grant: Grant, forCalls: Bool) async throws -> Client? {
    guard let entry = try configured(grant.account), entry.clientId ?? grant.client.id == grant.client.id else { return nil }
    // The key of OAuth 1.0a is in the grant.
    let hasKey = entry.privateKey != nil && grant.tokenSecret == nil
    guard entry.clientSecret != nil || entry.clientCertificate != nil || hasKey else { return nil }
    var input = AuthorizationInput(account: grant.account)
    // Without a provider in the entry, a preset that the sign-in named says where the secret may go.
    input.usualProvider = grant.preset.map(ProviderReference.preset)
    let plan = try await withContext(of: input, grant) { try await self.plan($0) }
    let mayCall = try !forCalls || grant.resolvedProvider.sendsTokensNowhereElse(than: plan.provider)
    if mayCall, let client = try plan.ownClient(for: grant) { return client }
    // The grant may have the same secret already, for its own provider.
    guard !grant.client.hasCredential else { return nil }
    throw OAuthFailure.secretProblem(
      grant.account, entry.clientCertificate != nil && (entry.clientSecret == nil || forCalls) ? ClientCertificate.member : "clientSecret",
      "stays here: the stored grant would send it to a server that the configured provider does not name. Sign in again, or correct the provider"
    )
  }
}

extension Client {
  /// Throws if the client signed in with a configured secret or key and there is none now.
  func check(of account: String, needsSecret: Bool = true) throws(OAuthFailure) {
    if isCertificateConfigured, certificate == nil {
      let problem = "is missing: the account's client signed in with it. Add it; the login stays"
      throw .secretProblem(account, ClientCertificate.member, problem)
    }
    guard needsSecret, isSecretConfigured, !hasCredential else { return }
    let problem = "is missing, and so is its privateKey: the account's client signed in with one. Add it; the login stays"
    throw .secretProblem(account, "clientSecret", problem)
  }
}

extension OAuthFailure {
  /// A fault of the secret in the account's entry.
  static func secretProblem(_ account: String, _ member: String, _ problem: String) -> OAuthFailure {
    let place = ObjectReader.pointer(to: member, in: ObjectReader.pointer(to: account, in: "/accounts"))
    return .misconfigured(place, "the configuration's \(place) \(problem)").of(account)
  }
}

extension Accounts {
  /// Takes a redirect that the client caught or the user pasted.
  /// Returns why it finishes no sign-in, as a sentence for the user, and leaves open ones open; nil if it was handled.
  ///
  /// Cancelling the caller only ends its waiting, because the code exchange is already running.
  package func takeRedirect(_ url: String) async throws -> String? {
    let text = PastedText(url).text.filter { !$0.isWhitespace && !$0.isNewline }
    let candidates = Self.parameters(ofRedirect: text)
    for parameters in candidates {
      guard let signIn = signIns.openSignIn(for: parameters), signIn.exchange.isResponse(parameters) else { continue }
      try await finish(signIn, parameters)
      return nil
    }
    if Self.isBareCode(text), let (signIn, parameters) = signIns.signInAwaitingTypedCode(Secret(text)) {
      try await finish(signIn, parameters)
      return nil
    }
    dependencies.log(.redirectRejected)
    return await reason(text, candidates)
  }

  /// Takes a code or verifier that the provider showed and the user typed.
  /// Returns false if the sign-in has ended or takes no code; nil if the id is unknown.
  package func handleTyped(_ text: Secret, signIn id: String) async throws -> Bool? {
    guard let signIn = signIns.openSignIn(id: id) else { return signIns.find(id: id) == nil ? nil : false }
    guard let parameters = signIn.exchange.redirect(typed: Secret(PastedText(text.value).text)) else { return false }
    _ = try await signIn.receive(parameters)
    try await signIn.waitForEvents()
    return true
  }

  private func finish(_ signIn: SignIn, _ parameters: [RedirectParameter]) async throws {
    // A sign-in that continues with another page has not ended. This request does not wait for its end.
    if case .unfinished = try await signIn.receive(parameters) { return }
    try await signIn.waitForEvents()
  }

  private func reason(_ text: String, _ candidates: [[RedirectParameter]]) async -> String {
    let wanted = "paste the whole address that the browser shows after signing in"
    if text.isEmpty { return "nothing was pasted: \(wanted)" }
    if signIns.isPage(text) { return "this is the address of the sign-in page itself: sign in there, and then \(wanted)" }
    if candidates.isEmpty { return "the address is damaged, or a parameter occurs twice: \(wanted)" }
    for parameters in candidates {
      if signIns.openSignIn(for: parameters) != nil { return "the address has neither a code nor an error: \(wanted)" }
      if signIns.endedSignIn(for: parameters) != nil { return "the sign-in that the address belongs to has ended" }
    }
    if Self.isBareCode(text) { return "a code alone does not say which sign-in it belongs to: \(wanted)" }
    return "the address belongs to no open sign-in: \(wanted)"
  }

  /// Whether the text is a code, or `CODE#STATE`.
  private static func isBareCode(_ text: String) -> Bool {
    text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).allSatisfy { part in
      var rest = part
      while rest.last == "=" { rest.removeLast() }
      return !rest.isEmpty && !rest.contains { $0 == "=" || $0 == "?" || $0 == "&" } && !rest.contains("://")
    }
  }

  /// Returns the parameters of a caught or pasted redirect, from its query and from its fragment.
  private static func parameters(ofRedirect text: String) -> [[RedirectParameter]] {
    let withoutFragment = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let query = withoutFragment[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var candidates: [Substring] = query.count > 1 ? [query[1]] : [withoutFragment[0]]
    if withoutFragment.count > 1 { candidates.append(withoutFragment[1]) }
    // A redirect that repeats a parameter is ambiguous (RFC 6749, 3.1). No sign-in takes it.
    return candidates.compactMap { try? LoopbackRequest.Redirect.parameters($0.utf8) }
  }
}

extension SignIn {
  /// Waits until the events of the sign-in's end are sent, which report whether it succeeded. Throws only if the waiting itself is cancelled:
  /// a redirect that was taken counts as handled, whatever follows.
  fileprivate nonisolated func waitForEvents() async throws {
    do { _ = try await authorization.value() } catch let error as CancellationError { throw error } catch {}
  }
}
