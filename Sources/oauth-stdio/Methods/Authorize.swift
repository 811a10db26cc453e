import JSONRPC
import Jansson
import OAuth
import OAuthCore

/// Makes an account usable: with its stored grant, a refresh, or a sign-in by the user.
struct Authorize: TaskMethod {
  static let name = "authorize"
  static let summary = "Makes the account usable. It takes the stored grant, or refreshes it, or asks the user to sign in."
  static let errors = Errors.asking
  static let example: MethodExample? = MethodExample(
    #"{"account":"work"}"#,
    #"""
    {"account":"work","status":"authorized","via":"signedIn","grantedScopes":["read"],"tokenType":"Bearer",\#
    "canRefresh":false}
    """#)

  private let account: AccountName?
  private let provider: ProviderReference?
  private let clientId: String?
  private let clientSecret: Secret?
  private let scopes: [String]?
  private let flow: AuthorizationInput.Flow?
  private let redirectUri: String?
  private let openBrowser: Bool?
  private let interaction: AuthorizationInput.Interaction
  private let wait: Bool
  private let timeout: Int?
  private let parameters: NamedValues<String>?
  private let variables: NamedValues<String>?
  private let dryRun: Bool

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.optional("account", "The account's name. Without it, the preset's name or the provider's host names the account.")
    provider = try fields.optional("provider", "The provider: a preset's name, an https URL, or a description.")
    clientId = try fields.optional(
      "clientId", "The ID of the client as the provider registered it. It is unnecessary if clients register themselves.")
    clientSecret = try fields.optional("clientSecret", "The client's secret.")
    scopes = try fields.optional("scopes", "The scopes to request. They replace the provider's usual ones.")
    flow = try fields.optional("flow", "The way of signing in. Without it, the account's configuration decides, or `auto` applies.")
    redirectUri = try fields.optional("redirectUri", "The redirect URI: a loopback address, or a URI that the client receives itself.")
    openBrowser = try fields.optional(
      "openBrowser",
      "Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of "
        + "`initialize`.")
    interaction = try fields.optional("interaction", default: .ifNeeded, "Whether the process may ask the user.")
    wait = try fields.optional("wait", default: true, "Whether the answer waits for the end of the sign-in.")
    timeout = try fields.optional(
      "timeout", in: 1...86_400, "The seconds after which a sign-in ends. Without it, the account's configuration decides, or 300 applies.")
    parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request. With `clientCredentials`, they are parameters of the token request.")
    variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
    dryRun = try fields.optional(
      "dryRun", default: false, "Whether the process returns what a sign-in would send, with masked secrets, and sends nothing.")
    if let redirectUri, !fields.isDescribing { try Self.check(redirectUri, at: fields.pointer("redirectUri")) }
  }

  static func check(_ redirectUri: String, at path: String) throws(FieldError) {
    guard redirectUri.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return }
    throw FieldError(path, "must not contain blanks or control characters")
  }

  func run(_ call: Call, _ service: Service) async throws -> AuthorizationResult {
    try await service.reportingFailure(call, account?.value) {
      let request = try await request(call, service)
      do {
        if dryRun {
          let (account, dryRun) = try await service.accounts.dryRun(request)
          return AuthorizationResult(authorization: Authorization(account: account), dryRun: dryRun)
        }
        return AuthorizationResult(authorization: try await service.accounts.authorize(request), refreshed: nil)
      } catch let failure as OAuthFailure {
        throw try placed(failure, service)
      } catch let reported as OAuthFailure.Reported {
        let error = try placed(reported.failure, service)
        throw (error as? OAuthFailure).map(OAuthFailure.Reported.init) ?? error
      }
    }
  }

  /// Returns the failure with the place of a fault in the params or in the configuration.
  private func placed(_ failure: OAuthFailure, _ service: Service) throws -> any Error {
    if redirectUri != nil, let fault = Service.paramsFault(failure, at: "/redirectUri") { return fault }
    // The provider in the params has been resolved before, so the fault is in the configured one.
    guard provider == nil, Service.paramsFault(failure, at: "/provider") != nil, let name = account?.value,
      try service.configuration.account(name)?.provider != nil
    else { return failure }
    return service.configuration.placing(failure, inProviderOf: name)
  }

  /// Builds the request. The params override the account's configuration.
  private func request(_ call: Call, _ service: Service) async throws -> AuthorizationInput {
    var request = AuthorizationInput()
    var name = account?.value
    if name == nil, case .preset(let preset)? = provider { name = preset }
    let configured = try name.flatMap { name throws(OAuthFailure) in try service.configuration.account(name) }
    request.variables = (configured?.variables ?? .init()).merged(with: variables ?? .init())
    request.account = account?.value
    request.provider = provider ?? configured?.provider
    request.flow = flow ?? configured?.flow ?? .auto
    // A dry run opens no page, so it asks no user.
    request.interaction = dryRun ? .ifNeeded : interaction
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
    request.waits = wait
    request.parameters = parameters ?? configured?.parameters ?? .init()
    request.requestID = call.id?.json
    return request
  }
}
