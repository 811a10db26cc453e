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
      var input = AuthorizationInput()
      input.account = account?.value
      input.provider = provider
      input.clientId = clientId
      input.clientSecret = clientSecret
      input.scopes = scopes
      input.flow = flow
      input.redirectUri = redirectUri
      input.opensBrowser = openBrowser
      input.clientOpensPages = service.clientOpensPages.load(ordering: .relaxed)
      // A dry run opens no page, so it asks no user.
      input.interaction = dryRun ? .ifNeeded : interaction
      input.waits = wait
      input.timeout = timeout
      input.parameters = parameters
      input.variables = variables
      input.requestID = call.id?.json
      guard dryRun else { return AuthorizationResult(authorization: try await service.accounts.authorize(input), refreshed: nil) }
      let (account, dryRun) = try await service.accounts.dryRun(input)
      return AuthorizationResult(authorization: Authorization(account: account), dryRun: dryRun)
    }
  }
}
