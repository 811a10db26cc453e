import JSONRPC
import Jansson
import OAuth

/// Makes an account usable: by what is stored, by a refresh, or by somebody signing in.
struct Authorize: TaskMethod {
  static let name = "authorize"
  static let summary = "Makes the account usable: a stored grant that is good, else a refreshed one, else a sign-in."

  private let account: AccountName?
  private let provider: ProviderReference?
  private let clientId: String?
  private let clientSecret: Secret?
  private let scopes: [String]?
  private let flow: AuthorizeRequest.Flow?
  private let redirectUri: String?
  private let openBrowser: Bool?
  private let interaction: AuthorizeRequest.Interaction?
  private let wait: Bool?
  private let timeout: Int?
  private let parameters: NamedValues<String>?
  private let variables: NamedValues<String>?
  private let dryRun: Bool

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.optional("account", "The name under which the grant is kept; the provider's by default.")
    provider = try fields.optional("provider", "A preset's name, an https URL, or an object that describes the provider.")
    clientId = try fields.optional(
      "clientId", "The client as it is registered with the provider; left out where clients may register themselves.")
    clientSecret = try fields.optional("clientSecret", "Its secret, where it has one.")
    scopes = try fields.optional("scopes", "Scopes to ask for instead of the provider's usual ones.")
    flow = try fields.optional("flow", "The way the sign-in goes.")
    redirectUri = try fields.optional("redirectUri", "A loopback address, or any URI whose opening the client catches itself.")
    openBrowser = try fields.optional("openBrowser", "Whether to open the page; true by default.")
    interaction = try fields.optional("interaction", "Whether a page may be asked for; ifNeeded by default.")
    wait = try fields.optional("wait", "Whether to answer when signed in (true, the default) or at once.")
    timeout = try fields.optional("timeout", in: 1...86_400, "Seconds until a sign-in is given up; 300 by default.")
    parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request; with clientCredentials, of the token request.")
    variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
    dryRun = try fields.optional("dryRun", "Whether to tell only what a sign-in would send, secrets masked, and send nothing.") ?? false
    if let redirectUri, !fields.isDescribing { try Self.check(redirectUri, at: fields.pointer("redirectUri")) }
  }

  static func check(_ redirectUri: String, at path: String) throws(FieldError) {
    guard redirectUri.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return }
    throw FieldError(path, "must not contain blanks or control characters")
  }

  func run(_ call: Call, _ service: Service) async throws -> AuthorizationResult {
    try await service.telling(call, account?.value) {
      let request = try await request(call, service)
      do {
        if dryRun {
          let (account, rehearsal) = try await service.accounts.rehearse(request)
          return AuthorizationResult(authorization: Authorization(account: account), rehearsal: rehearsal)
        }
        return AuthorizationResult(authorization: try await service.accounts.authorize(request), refreshed: nil)
      } catch let failure as OAuthFailure {
        if redirectUri != nil, let fault = Service.paramsFault(failure, at: "/redirectUri") { throw fault }
        // A provider that the params name has been resolved before, so the fault is in the configured one.
        guard provider == nil, Service.paramsFault(failure, at: "/provider") != nil, let name = account?.value,
          try service.configuration.account(name)?.provider != nil
        else { throw failure }
        throw service.configuration.placing(failure, inProviderOf: name)
      }
    }
  }

  /// What the caller says wins over what the configuration knows of the account.
  private func request(_ call: Call, _ service: Service) async throws -> AuthorizeRequest {
    var request = AuthorizeRequest()
    var name = account?.value
    if name == nil, case .preset(let preset)? = provider { name = preset }
    let configured = try name.flatMap { name throws(OAuthFailure) in try service.configuration.account(name) }
    request.variables = (configured?.variables ?? .init()).merged(with: variables ?? .init())
    request.account = account?.value
    request.provider = provider ?? configured?.provider
    request.flow = flow ?? configured?.flow ?? .auto
    // A page that is only told of asks nobody.
    request.interaction = dryRun ? .ifNeeded : interaction ?? .ifNeeded
    request.timeout = timeout ?? configured?.timeout ?? 300
    try await service.check(&request, given: (provider, variables))
    if variables != nil, request.provider == nil { throw FieldError("/variables", "needs a provider beside it") }
    request.clientId = clientId ?? configured?.clientId
    request.clientSecret = clientSecret
    if let configured, let name {
      try await ConfiguredIdentity(configured: configured, account: name, service: service).check(request, given: (provider, variables))
      try await ConfiguredSecrets(configured: configured, account: name, service: service).add(to: &request)
    }
    request.scopes = scopes ?? configured?.scopes
    request.redirectUri = redirectUri ?? configured?.redirectUri
    request.opensBrowser = openBrowser ?? configured?.openBrowser ?? !service.clientOpensPages.load(ordering: .relaxed)
    request.waits = wait ?? true
    request.parameters = parameters ?? configured?.parameters ?? .init()
    request.cause = call.id?.json
    return request
  }
}
