import Jansson

@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Turns a row's texts into a plan, and the plan or its fault into the words of `expected`.
extension AuthorizationPlanTests.Row {
  private static let catalog: ProviderCatalog = {
    let discoveries = Discovery.Cache()
    discoveries.add(
      [.init("authorizationEndpoint", "https://known.example/a"), .init("tokenEndpoint", "https://known.example/t")],
      of: "https://known.example/x", until: 0)
    return ProviderCatalog.builtIn.adding(discoveries)
  }()

  private func input() throws -> AuthorizationInput {
    let json = try JSON.parse(Array(params.utf8))
    var input = AuthorizationInput()
    func variables(_ name: String) throws -> NamedValues<String>? { try json[name].map { try .read($0, at: "/" + name) } }
    input.account = json["account"]?.string
    input.provider = try json["provider"].map { try .read($0, at: "/provider") }
    input.clientId = json["clientId"]?.string
    input.credentials.secret = json["clientSecret"]?.string.map(Secret.init)
    input.scopes = json["scopes"]?.array?.compactMap(\.string)
    input.options.flow = json["flow"]?.string.flatMap(AuthorizationInput.Flow.init)
    input.redirectUri = json["redirectUri"]?.string
    input.interaction = json["interaction"]?.string.flatMap(AuthorizationInput.Interaction.init) ?? .ifNeeded
    input.options.parameters = try variables("parameters")
    input.variables = try variables("variables")
    input.purpose = purpose
    return input
  }

  /// A grant of client `c` at `id.example` with the secret `stored` and the scope `read`, unless the text says otherwise.
  private func grant(_ text: String) throws -> Grant {
    let json = try JSON.parse(Array(text.utf8))
    let usual: JSON = ["authorizationEndpoint": "https://id.example/a", "tokenEndpoint": "https://id.example/t"]
    let provider = json["provider"] ?? usual
    var grant = Grant(
      account: "a", provider: provider, client: Client(id: "c", secret: Secret("stored")), accessToken: Secret("t"), tokenType: "Bearer",
      issuedAt: 0)
    if let url = provider["discovery"] { (grant.providerReference, grant.published) = (url, provider.members) }
    grant.grantedScopes = ["read"]
    grant.isClientRegistered = json["isRegistered"] == .bool(true)
    grant.pinnedRedirectUri = json["pinned"]?.string
    grant.redirectUri = json["redirectUri"]?.string
    grant.email = json["email"]?.string
    grant.clientParameters = try json["parameters"].map { try .read($0, at: "") }
    return grant
  }

  func outcome() async throws -> String {
    let input = try input()
    let stored = try stored.map(grant)
    do {
      var account = try configured.map { try ConfiguredAccount.decode(JSON.parse(Array($0.utf8))) }
      account?.place = ("a", JSONFile("config.json", "the configuration"))
      try await account?.load(for: input, stored) { source, _ in
        if case .literal(let secret) = source { secret } else { Secret("") }
      }
      let planner = Planner(input: input, configured: account, stored: stored, catalog: Self.catalog, unreachable: unreachable)
      return Self.words(try planner.plan())
    } catch let missing as Planner.MissingPublication {
      return "needs \(missing.name) for \(missing.purpose)"
    } catch let fault as AuthorizationInput.Fault {
      return "params \(fault.failure["path"]?.string ?? "")"
    } catch let fault as FieldError {
      return "field \(fault.path)"
    } catch let failure as OAuthFailure {
      return ([failure.kind.rawValue] + [failure["path"]?.string].compactMap(\.self)).joined(separator: " ")
    }
  }

  private static func words(_ plan: AuthorizationPlan) -> String {
    let endpoint = plan.provider.tokenEndpoint ?? plan.provider.oauth1.accessTokenEndpoint
    var words = ["\(endpoint.flatMap { try? URLParts($0) }?.host ?? "") as \(plan.account) client \(plan.client.id)"]
    if let secret = plan.client.secret { words.append("secret \(secret.value)") }
    if let key = plan.provider.oauth1.privateKey { words.append("key \(key.value)") }
    if plan.registersClient { words.append("registers") }
    if !plan.scopes.isEmpty { words.append("scopes \(plan.scopes.joined(separator: ","))") }
    if plan.request.flow != .auto { words.append("flow \(plan.request.flow.rawValue)") }
    if let uri = plan.request.redirectUri { words.append("redirect \(uri)") }
    let parameters = plan.request.parameters.pairs.map { "\($0.name)=\($0.value)" }
    if !parameters.isEmpty { words.append("with \(parameters.joined(separator: ","))") }
    return words.joined(separator: " ")
  }
}
