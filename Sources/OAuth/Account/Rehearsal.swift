import Jansson

/// What a sign-in would do and the requests that would follow it, with every secret masked. Nothing is opened, sent or kept.
package struct Rehearsal: Sendable, Equatable {
  /// One request as it would be sent.
  package struct Step: Sendable, Equatable {
    /// What it is for: `code`, `refresh`, `revoke` or `api`.
    package var purpose: String
    package var method: String
    package var url: String
    package var headers: [HTTPHeader]
    package var body: String?

    package static var sample: Step { Step(purpose: "", method: "", url: "", headers: [], body: "") }
  }

  /// The page; port 0 in its redirect stands for the free one that a sign-in would take.
  package var url: String
  package var redirectUri: String
  package var steps: [Step] = []

  /// Stands for every secret while requests are made, in characters that no encoding changes, and is masked in what is shown.
  private static let stand = "oauth-stdio-secret"
  static let secret = Secret(stand)

  static func shown(_ text: String) -> String { text.replacingOccurrences(of: stand) }

  package static var sample: Rehearsal { Rehearsal(url: "", redirectUri: "") }

  init(url: String, redirectUri: String) {
    self.url = Self.shown(url)
    self.redirectUri = redirectUri
  }

  mutating func add(_ purpose: String, _ request: HTTPRequest?) {
    guard let request else { return }
    let headers = request.headers.map { header in
      // Base64 would hide the stand-in from the mask, and the client's id beside it stands in the page's URL anyway.
      HTTPHeader(header.name, header.value.hasPrefix("Basic ") ? "Basic …" : Self.shown(header.value))
    }
    var body: String?
    if case .bytes(let bytes) = request.body { body = Self.shown(String(decoding: bytes, as: UTF8.self)) }
    steps.append(Step(purpose: purpose, method: request.method, url: Self.shown(request.url), headers: headers, body: body))
  }
}

extension String {
  fileprivate func replacingOccurrences(of stand: String) -> String {
    split(separator: stand, omittingEmptySubsequences: false).joined(separator: "…")
  }
}

extension Accounts {
  /// What `authorize` would do if somebody had to sign in.
  package func rehearse(_ request: AuthorizeRequest) async throws -> Authorization {
    do {
      var setup = try settle(request)
      try checkFlow(setup)
      guard setup.provider.protocolName == .oauth2 else {
        throw OAuthFailure.unsupported("a dry run of \(setup.provider.protocolName.rawValue) would have to ask the provider")
      }
      if let grant = try await refreshes.settled(setup.account), setup.matches(grant) {
        setup.scopes += grant.grantedScopes.filter { !setup.scopes.contains($0) }
      }
      return Authorization(rehearsal: try rehearsal(setup), account: setup.account)
    } catch let failure as OAuthFailure {
      throw request.account.map(failure.of) ?? failure
    }
  }

  private func rehearsal(_ setup: AuthorizeSetup) throws -> Rehearsal {
    let (address, written) = try RedirectChoice.address(setup.request.redirectUri, setup.provider)
    let redirectUri = written ?? address.map { "http://\($0.host.rawValue):\($0.ports.first ?? 0)\($0.path)" } ?? ""
    let client = Client(id: setup.client.id, secret: setup.client.secret.map { _ in Rehearsal.secret })
    let provider = try setup.provider.filled(with: .init(), client: client)
    let hasPKCE = provider.request.pkce != .off
    let pkce = hasPKCE ? PKCE(verifier: Rehearsal.secret, challenge: Rehearsal.secret.value) : nil
    let nonce = setup.scopes.contains("openid") ? Rehearsal.secret : nil
    guard let url = try setup.page(redirectUri: redirectUri, state: Rehearsal.secret, nonce: nonce, pkce: pkce).url else {
      throw OAuthFailure(
        .configurationInvalid, "the authorization endpoint is no url", details: [.init("path", "/provider/authorizationEndpoint")])
    }
    var rehearsal = Rehearsal(url: url, redirectUri: redirectUri)
    let code = TokenRequest.code(
      Rehearsal.secret, redirectUri: redirectUri, verifier: pkce?.verifier, resource: setup.request.parameters["resource"])
    rehearsal.add("code", code.httpRequest(provider, client))
    rehearsal.add(
      "refresh", TokenRequest.refresh(Rehearsal.secret, redirectUri: redirectUri, scopes: setup.scopes).httpRequest(provider, client))
    for hint in ["refresh_token", "access_token"] {
      rehearsal.add("revoke", RevocationRequest(token: Rehearsal.secret, hint: hint).httpRequest(provider, client))
    }
    if let base = provider.api.apiBase {
      let type = provider.answer.tokenType ?? provider.answer.tokenTypeDefault ?? "Bearer"
      let grant = setup.grant(accessToken: Rehearsal.secret, tokenType: type, at: now)
      let call = HTTPRequest(method: "GET", url: base, headers: provider.api.apiHeaders.pairs.map { HTTPHeader($0.name, $0.value) })
      rehearsal.add("api", try RequestCredential(grant: grant, provider: provider, surroundings: surroundings).apply(to: call))
    }
    return rehearsal
  }
}
