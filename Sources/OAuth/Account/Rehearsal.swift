import Jansson
import Synchronization

/// What a sign-in would send, without sending anything: `authorize` with `dryRun`.
///
/// The sign-in's own code runs, with a network that only writes down and answers with placeholders, so that what is shown cannot differ from what is done.
package struct Rehearsal: Sendable {
  /// One request, with every secret masked.
  package struct Step: Sendable {
    /// What it is for: the endpoint's name without `Endpoint`, or `discovery`, `registration`, `pushedAuthorization`, `checkAuthentication`, `refresh`, `revocation`, `callAPI`.
    package var name: String
    package var method: String
    package var url: String
    package var headers: NamedValues<String>
    package var body: String?
    /// What OAuth 1.0a signs.
    package var baseString: String?

    package static var sample: Step { Step(name: "", method: "", url: "", headers: .init(), body: "", baseString: "") }
  }

  /// nil where only the provider knows the page.
  package var url: String?
  /// nil where nobody is sent back.
  package var redirectUri: String?
  package var steps: [Step] = []

  package static var sample: Rehearsal { Rehearsal(url: "", redirectUri: "", steps: []) }

  /// Stands in the place of what only the provider or the configuration knows.
  enum Placeholder {
    static let code = "CODE"
    static let clientId = "CLIENT_ID"
    static let requestUri = "REQUEST_URI"
    static let clientSecret = "CLIENT_SECRET"
    static let accessToken = "ACCESS_TOKEN"
    static let refreshToken = "REFRESH_TOKEN"
    static let requestToken = "REQUEST_TOKEN"
    static let verifier = "VERIFIER"
    static let tokenSecret = "TOKEN_SECRET"
    static let deviceCode = "DEVICE_CODE"
    static let userCode = "USER_CODE"
    static let associationHandle = "ASSOCIATION_HANDLE"
    static let user = "USER"
    /// Base 64, as a signature is.
    static let signature = "THESIGNATURE"
  }

  static func of(
    _ setup: AuthorizeSetup, redirectUri: String, surroundings: Surroundings,
    begin: (AuthorizeSetup, Surroundings) async throws -> any SignInProtocol
  ) async throws -> Rehearsal {
    var setup = setup
    // The real secret has no part in it, so that none can be shown.
    if setup.client.secret != nil { setup.client.secret = Secret(Placeholder.clientSecret) }
    setup.provider.fillWithPlaceholders()
    if setup.registersClient { setup.client = Client(id: Placeholder.clientId) }
    let provider = try setup.provider.filled(with: .init(), client: setup.client)
    let network = RehearsedNetwork(provider: provider)
    let drawn = Mutex<[String]>([])
    let own = Surroundings(
      milliseconds: surroundings.milliseconds,
      random: { count in
        let bytes = surroundings.random(count)
        // The only draw of this size is PKCE's verifier (RFC 7636, 4.1).
        if count == 32 { drawn.withLock { $0.append(Base64.encodeURL(bytes)) } }
        return bytes
      },
      http: network, store: MemoryStore(), presets: surroundings.presets, openPage: { _ in nil }, tell: { _ in })
    let exchange = try await begin(setup, own)
    var rehearsal = Rehearsal(url: exchange.url, redirectUri: redirectUri)
    // The redirect is made up, so what follows the requests may refuse it; they have been written down by then.
    _ = try? await exchange.conclude(redirect(to: exchange.url, setup, at: own.clock()))
    let mask = RequestMask(of: setup, drawn: drawn.withLock { $0 })
    rehearsal.url = mask.shown(exchange.url)
    rehearsal.steps = registration(setup, provider, redirectUri, mask) + network.requests.map { mask.step(network.name(of: $0), $0) }
    rehearsal.steps += await later(setup, provider, redirectUri, own, mask)
    return rehearsal
  }

  /// A sign-in with a device code: the request for it, and the one that is sent until somebody has typed it.
  static func ofDevice(_ setup: AuthorizeSetup, surroundings: Surroundings) async throws -> Rehearsal {
    var setup = setup
    if setup.client.secret != nil { setup.client.secret = Secret(Placeholder.clientSecret) }
    setup.provider.fillWithPlaceholders()
    if setup.registersClient { setup.client = Client(id: Placeholder.clientId) }
    let (provider, mask) = (try setup.provider.filled(with: .init(), client: setup.client), RequestMask(of: setup))
    let code = TokenRequest.device(
      Secret(Placeholder.deviceCode), userCode: Placeholder.userCode, resource: setup.resource)
    let requests = [
      ("deviceAuthorization", DeviceSignIn.request(setup).httpRequest(provider, setup.client)),
      ("token", code.httpRequest(provider, setup.client)),
    ]
    let steps = requests.compactMap { name, request in request.map { mask.step(name, $0) } }
    return Rehearsal(steps: registration(setup, provider, nil, mask) + steps + (await later(setup, provider, nil, surroundings, mask)))
  }

  private static func registration(_ setup: AuthorizeSetup, _ provider: Provider, _ redirectUri: String?, _ mask: RequestMask) -> [Step] {
    guard setup.registersClient, !setup.reusesClient(for: redirectUri) else { return [] }
    let request = RegistrationRequest(redirectUri: redirectUri, scopes: setup.scopes).httpRequest(provider)
    return request.map { [mask.step("registration", $0)] } ?? []
  }

  /// A token for the client itself, and what is done with it.
  static func ofClient(_ setup: AuthorizeSetup, surroundings: Surroundings) async throws -> Rehearsal {
    var setup = setup
    if setup.client.secret != nil { setup.client.secret = Secret(Placeholder.clientSecret) }
    setup.provider.fillWithPlaceholders()
    let (provider, mask) = (try setup.provider.filled(with: .init(), client: setup.client), RequestMask(of: setup))
    let request = TokenRequest.client(scopes: setup.scopes, parameters: setup.request.parameters).httpRequest(provider, setup.client)
    let token = request.map { mask.step("token", $0.signed(provider.token, setup.client, at: surroundings.clock())) }
    return Rehearsal(steps: [token].compactMap(\.self) + (await later(setup, provider, nil, surroundings, mask)))
  }

  /// A redirect as the provider would send it; a state goes back as it went out.
  private static func redirect(to page: String, _ setup: AuthorizeSetup, at now: Int) -> [RedirectParameter] {
    let url = try? URLParts(page)
    let behindFragment = url?.fragment?.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
    let query = (behindFragment ?? url?.query).map { FormEncoding.decodeLeniently($0) } ?? []
    let echoed = ["state", setup.provider.request.stateParameter, setup.provider.openid.openidStateParameter].compactMap(\.self)
    var parameters = query.filter { echoed.contains($0.0) }.map { RedirectParameter(name: $0.0, value: $0.1) }
    let code = setup.provider.openid.openidCodeParameter ?? setup.provider.request.codeParameter
    parameters += [
      RedirectParameter(name: code, value: Placeholder.code), RedirectParameter(name: "oauth_token", value: Placeholder.requestToken),
      RedirectParameter(name: "oauth_verifier", value: Placeholder.verifier),
    ]
    guard setup.provider.protocolName == .openid2 else { return parameters }
    let asked = query.map { RedirectParameter(name: $0.0, value: $0.1) }
    return parameters + RehearsedAssertion(setup.provider, asked: asked, at: now).parameters
  }

  /// What comes once somebody is signed in: an exchange for a long-lived token, a refresh, a call, and the taking back.
  private static func later(
    _ setup: AuthorizeSetup, _ provider: Provider, _ redirectUri: String?, _ surroundings: Surroundings, _ mask: RequestMask
  ) async -> [Step] {
    let client = setup.client
    let access = Secret(Placeholder.accessToken)
    let refresh = Secret(provider.token.refreshStyle == .accessToken ? Placeholder.accessToken : Placeholder.refreshToken)
    var grant = setup.grant(
      accessToken: access, tokenType: provider.answer.tokenType ?? provider.answer.tokenTypeDefault ?? "Bearer", at: 0)
    if provider.protocolName == .oauth1 { (grant.tokenSecret, grant.tokenType) = (Secret(Placeholder.tokenSecret), Grant.signedTokenType) }
    var steps: [Step] = []
    func add(_ name: String, _ request: HTTPRequest?) {
      if let request { steps.append(mask.step(name, request)) }
    }
    // A client asks for another token in the way of the first, and has no refresh token.
    let isForUser = !setup.isForClient
    if isForUser, let request = TokenRequest.longLived(access).httpRequest(provider, client) {
      add("longLived", request.signed(provider.token, client, at: surroundings.clock()))
    }
    if isForUser, provider.tokenEndpoint != nil {
      let request = TokenRequest.refresh(refresh, redirectUri: redirectUri, scopes: setup.scopes).httpRequest(provider, client)
      add("refresh", request?.signed(provider.token, client, at: surroundings.clock()))
    }
    if let base = provider.api.apiBase {
      var call = HTTPRequest(method: "GET", url: base)
      call.headers = provider.api.apiHeaders.pairs.map { HTTPHeader($0.name, $0.value) }
      add("callAPI", try? RequestCredential(grant: grant, provider: provider, surroundings: surroundings).apply(to: call))
    }
    if provider.tokenEndpoint != nil {
      if isForUser, provider.token.refreshStyle == .refreshToken {
        add("revocation", RevocationRequest(token: refresh, hint: "refresh_token").httpRequest(provider, client))
      }
      add("revocation", RevocationRequest(token: access, hint: "access_token").httpRequest(provider, client))
    }
    for request in await signedRevocation(of: grant, provider, surroundings) { add("revocation", request) }
    return steps
  }

  private static func signedRevocation(of grant: Grant, _ provider: Provider, _ surroundings: Surroundings) async -> [HTTPRequest] {
    guard provider.revocation.revocationStyle == .signed else { return [] }
    let network = RehearsedNetwork(provider: provider)
    var own = surroundings
    own.http = network
    // What could not be signed is not shown, as it would not be sent.
    _ = try? await SignedRevocation(grant: grant, provider: provider, surroundings: own).send()
    return network.requests
  }
}
