import Jansson
import OAuthCore
import Platform
import Signatures
import Store

/// The request for another token of a login, as the provider's description has it, and what its answer must show.
struct OtherTokenRequest: Sendable {
  enum Way: Sendable {
    /// A refresh of the login with these parameters (RFC 6749, 6; RFC 8707, 2.2).
    case refresh([(name: String, value: String)])
    /// An exchange of the login's access token (RFC 8693).
    case exchange
    /// The client's own request, with what is asked (RFC 6749, 4.4).
    case own
  }

  var isRefresh: Bool { if case .refresh = way { true } else { false } }

  let terms: TokenTerms
  let way: Way
  /// The scopes that it names; nil without any.
  private var scopes: [String]?
  /// Whether only a plain refresh tells if the server keeps the refresh token. Many bind a rotated one to the scopes of the request.
  let needsPlainRefresh: Bool

  /// Scopes that say nothing about what an API allows.
  static let ofIdentity = ["openid", "profile", "email", "offline_access"]

  /// Throws if the provider has no request for it. A guess could narrow the login itself, without a page to tell.
  init(_ terms: TokenTerms, of grant: Grant) throws(OAuthFailure) {
    let provider = try grant.resolvedProvider
    func unsupported(_ problem: String) -> OAuthFailure { .unsupported("the login gives no token for \(terms.shown): \(problem)") }
    (self.terms, scopes) = (terms, terms.scopes)
    guard provider.protocolName == .oauth2, grant.sessionHandle == nil, grant.tokenSecret == nil, !grant.isShortLived,
      provider.longLived.longLivedGrantType == nil, provider.assertion.assertionPlacement == .body
    else { throw unsupported("its protocol has one token") }
    if grant.isForClient {
      (way, needsPlainRefresh) = (.own, false)
      return
    }
    let options = provider.otherTokens
    let asked: [(member: String, value: String?, way: OtherTokenOptions.Way?)] = [
      ("resource", terms.resource, options.resource), ("audience", terms.audience, options.audience),
    ].filter { $0.1 != nil }
    if let missing = asked.first(where: { $0.way == nil }) {
      throw unsupported("the provider's description has no otherTokens.\(missing.member)")
    }
    let ways = asked.compactMap(\.way) + (terms.scopes == nil ? [] : [options.scopes].compactMap(\.self))
    // An exchange takes all that is asked.
    if ways.contains(where: { if case .exchange = $0 { true } else { false } }) {
      (way, needsPlainRefresh) = (.exchange, false)
      return
    }
    guard grant.refreshToken != nil, grant.exchangeable == grant.refreshToken else { throw unsupported("it has no refresh token") }
    // Some servers bind the new refresh token to the scopes of the request, or issue none. The login would then lose its scopes.
    let isDescribed = terms.scopes == nil || options.scopes != nil
    guard isDescribed || grant.keepsRefreshToken || grant.isUntried else {
      throw unsupported(
        "its server replaces the refresh token, which may then have these scopes alone. otherTokens.scopes in the provider's description says if it does not"
      )
    }
    needsPlainRefresh = !isDescribed && !grant.keepsRefreshToken
    let scopeName = provider.request.scopeParameter ?? "scope"
    let lasting = ["openid", "offline_access"].filter { grant.grantedScopes.contains($0) || $0 == "openid" && grant.idToken != nil }
    var (parameters, named): ([(name: String, value: String)], [String]?) = ([], terms.scopes)
    func add(_ member: String, _ values: [String], as usual: String, _ way: OtherTokenOptions.Way?) {
      var (name, values) = (usual, values)
      if case .refresh(let own?)? = way {
        name = own.name
        values = values.map { value in own.value.map { Template($0).filled { $0 == member ? value : nil } } ?? value }
      }
      // Scopes that were asked for are those of the resource, if that has the same parameter.
      guard !parameters.contains(where: { $0.name == name }) else { return }
      if name == scopeName { (named, values) = (values, values + lasting.filter { !values.contains($0) }) }
      parameters.append((name, values.joined(separator: provider.request.scopeSeparator)))
    }
    if let scopes = terms.scopes { add("scopes", scopes, as: scopeName, options.scopes) }
    for (member, value, way) in asked {
      if case .refresh(let own?)? = way, own.name == scopeName, let value,
        let foreign = terms.scopes?.first(where: { !$0.hasPrefix(value) })
      {
        throw unsupported("a scope of this resource begins with it, as \(value)/\(foreign)".plain)
      }
      add(member, [value ?? ""], as: member, way)
    }
    (way, scopes) = (.refresh(parameters), named)
  }

  /// Asks the token endpoint. `call` is the client's own request with what the configuration has.
  func send(_ grant: Grant, _ dependencies: Dependencies, asking call: ClientCall?) async throws -> TokenRequest.Response {
    let provider = try grant.resolvedProvider
    let deadline = dependencies.clock.deadline(in: RefreshTimes.exchange)
    switch way {
    case .refresh(let parameters):
      guard let token = grant.refreshToken else { throw OAuthFailure.unsupported("the login has no refresh token") }
      return try await TokenEndpoint(
        provider, grant.client, for: grant.account, dependencies, until: deadline, provingBy: grant.dpopKey
      ).ask(.refresh(token, redirectUri: grant.redirectUri, scopes: grant.grantedScopes, asked: parameters))
    case .exchange:
      var exchange = ClientRequest()
      exchange.flow = .tokenExchange
      exchange["subjectToken"] = .string(try grant.usableToken().value)
      exchange["subjectTokenType"] = .string(TokenType.uri("access_token"))
      return try await ask(ClientCall(request: exchange), scopes: terms.scopes ?? [], provider, grant, dependencies, deadline)
    case .own:
      let own = call ?? ClientCall(request: grant.clientRequest ?? ClientRequest())
      return try await ask(own, scopes: terms.scopes ?? grant.clientScopes ?? grant.grantedScopes, provider, grant, dependencies, deadline)
    }
  }

  private func ask(
    _ call: ClientCall, scopes: [String], _ provider: Provider, _ grant: Grant, _ dependencies: Dependencies, _ deadline: Clock.Deadline
  ) async throws -> TokenRequest.Response {
    let named = [("resource", terms.resource), ("audience", terms.audience)].compactMap { name, value in
      value.map { (name: name, value: $0) }
    }
    let parameters = (grant.clientParameters ?? .init()).merged(with: NamedValues(named))
    return try await call.ask(
      scopes: scopes, parameters, provider, grant.client, for: grant.account, dependencies, until: deadline, provingBy: grant.dpopKey)
  }

  // MARK: The answer

  /// Returns the token of an answer for these terms. Throws if the token is wider than asked, or lacks something.
  ///
  /// A caller gets it in order to give it to a program that it trusts less. Claims of a JWT are read for this comparison only.
  func token(_ tokens: TokenRequest.Response, of grant: Grant) throws(OAuthFailure) -> OtherToken {
    var taken = grant
    taken.take(tokens)
    var token = OtherToken()
    (token.terms, token.accessToken, token.tokenType) = (terms, tokens.accessToken, tokens.tokenType)
    (token.issued, token.expires) = (taken.issued, taken.expires)
    let (claims, own) = (Self.claims(tokens.accessToken), Self.claims(grant.accessToken))
    let audience = Self.audience(claims)
    token.grantedScopes = tokens.scopes ?? claims?["scope"]?.scopes ?? claims?["scp"]?.scopes
    let wanted = [terms.resource, terms.audience].compactMap(\.self)
    let isFor = wanted.allSatisfy { audience.contains($0) }
    token.isConfirmed = (token.grantedScopes != nil || terms.scopes == nil) && isFor
    if let asked = terms.scopes, let granted = token.grantedScopes { try check(granted, asked, grant) }
    if !isFor, !audience.isEmpty, audience == Self.audience(own) {
      throw .unsupported("the server has issued a token for the login's own audience, and not for \(wanted.joined(separator: " ").plain)")
    }
    return token
  }

  private func check(_ granted: [String], _ asked: [String], _ grant: Grant) throws(OAuthFailure) {
    let names = Grant.ScopeNames(grant.provider)
    // Such a scope asks for all of a resource. Its others begin with the resource, or are the API's own, whose prefix may be missing.
    let whole = asked.filter { $0.hasSuffix("/.default") }.map { $0.dropLast(".default".count) }
    func isAsked(_ scope: String) -> Bool {
      Self.ofIdentity.contains(scope) || names.isAny(of: scope, in: asked)
        || whole.contains { scope.hasPrefix($0) || grant.provider["scopePrefix"]?.string == String($0) && !scope.contains("://") }
    }
    // Without a list of the login's scopes, each one may be among them.
    let wider = granted.filter {
      !isAsked($0) && (grant.unknownScopes != nil || grant.grantedScopes.isEmpty || names.isAny(of: $0, in: grant.grantedScopes))
    }
    if !wider.isEmpty {
      throw .unsupported("the server ignores the scopes of such a request: its token has \(wider.joined(separator: " ").plain), too")
    }
    let missing = asked.filter { !Self.ofIdentity.contains($0) && !$0.hasSuffix("/.default") && !names.isAny(of: $0, in: granted) }
    if !missing.isEmpty { throw scopesMissing(grant.account, "the server granted no \(missing.joined(separator: " "))") }
  }

  func scopesMissing(_ account: String, _ why: String, claims: JSON? = nil) -> OAuthFailure {
    var failure = OAuthFailure.signInRequired(
      .scopesMissing, account: account, why: "the login gives no token for \(terms.shown): \(why)", advice: .moreScopes)
    failure.details += [scopes.map { .init("scopes", .array($0.map { .string($0) })) }, claims.map { .init("claims", $0) }].compactMap(
      \.self)
    return failure
  }

  private static func claims(_ token: Secret?) -> JSON? { token.flatMap { try? JSON.parse(JSONWebSignature($0).payload) } }

  private static func audience(_ claims: JSON?) -> Set<String> { Set((claims?["aud"].map { $0.array ?? [$0] } ?? []).compactMap(\.string)) }
}
