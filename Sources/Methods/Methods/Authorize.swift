import JSONRPC
import Jansson
import OAuth

/// Makes an account usable: with its stored grant, a refresh, or a sign-in by the user.
struct Authorize: Method {
  static let name = "authorize"
  static let summary = "Makes the account usable. It takes the stored grant, or refreshes it, or asks the user to sign in."
  static let errors = Errors.asking
  static let example: MethodExample? = MethodExample(
    #"{"account":"work"}"#,
    #"""
    {"account":"work","status":"authorized","via":"signedIn","grantedScopes":["read"],"tokenType":"Bearer",\#
    "canRefresh":false}
    """#)

  private var input = AuthorizationInput()
  private let dryRun: Bool

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let account: AccountName? = try fields.optional(
      "account", "The account's name. Without it, the preset's name or the provider's host names the account.")
    input.provider = try fields.optional("provider", "The provider: a preset's name, an https URL, or a description.")
    input.clientId = try fields.optional(
      "clientId", "The ID of the client as the provider registered it. It is unnecessary if clients register themselves.")
    input.clientSecret = try fields.optional("clientSecret", "The client's secret.")
    input.scopes = try fields.optional("scopes", "The scopes to request. They replace the provider's usual ones.")
    input.flow = try fields.optional("flow", "The way of signing in. Without it, the account's configuration decides, or `auto` applies.")
    input.redirectUri = try fields.optional(
      "redirectUri", "The redirect URI: a loopback address, or a URI that the client receives itself.")
    input.opensBrowser = try fields.optional(
      "openBrowser",
      "Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of "
        + "`initialize`.")
    input.interaction = try fields.optional("interaction", default: .ifNeeded, "Whether the process may ask the user.")
    input.waits = try fields.optional("wait", default: true, "Whether the answer waits for the end of the sign-in.")
    input.timeout = try fields.optional(
      "timeout", in: 1...86_400, "The seconds after which a sign-in ends. Without it, the account's configuration decides, or 300 applies.")
    input.parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request. With `clientCredentials`, they are parameters of the token request.")
    input.variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
    dryRun = try fields.optional(
      "dryRun", default: false, "Whether the process returns what a sign-in would send, with masked secrets, and sends nothing.")
    input.account = account?.value
    // A dry run opens no page, so it asks no user.
    if dryRun { input.interaction = .ifNeeded }
    guard !fields.isDescribing else { return }
    try AuthorizationInput.check(scopes: input.scopes, at: fields.pointer("scopes"))
    try AuthorizationInput.check(parameters: input.parameters, at: fields.pointer("parameters"))
    if let uri = input.redirectUri { try Self.check(uri, at: fields.pointer("redirectUri")) }
  }

  static func check(_ redirectUri: String, at path: String) throws(FieldError) {
    guard redirectUri.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return }
    throw FieldError(path, "must not contain blanks or control characters")
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, input.account, within: input.timeout) {
      let input = service.completed(input, call)
      guard dryRun else { return Result(authorization: try await service.accounts.authorize(input), refreshed: nil) }
      let (account, dryRun) = try await service.accounts.dryRun(input)
      return Result(authorization: Authorization(account: account), dryRun: dryRun)
    }
  }
}

extension Authorize {
  /// The result, also of `addScopes`, `awaitSignIn` and `refresh`.
  struct Result: JSONObjectConvertible {
    static let schemaName: String? = "AuthorizationResult"
    static var sample: Result { Result(authorization: .sample, refreshed: false, dryRun: .sample) }

    enum Status: String, StringEnum {
      static let schemaName: String? = "AuthorizationStatus"

      case authorized, pending, dryRun

      var documentation: String {
        switch self {
        case .authorized: "The account is usable."
        case .pending: "The user must sign in first."
        case .dryRun: "Nothing was sent."
        }
      }
    }

    var authorization: Authorization
    /// Only `refresh` sends this.
    var refreshed: Bool?
    /// Only `authorize` with `dryRun` sends this.
    var dryRun: DryRun?

    private var status: Status { dryRun != nil ? .dryRun : authorization.via == nil ? .pending : .authorized }

    func list(_ members: inout ObjectWriter) {
      let isPending = authorization.via == nil
      members.add("account", authorization.account, "The account's name.")
      members.add("status", status, "The state of the account after the call.")
      members.add(optional: "via", authorization.via, "The origin of the grant.")
      members.add(optional: "grantedScopes", isPending ? nil : authorization.grantedScopes, "The granted scopes.")
      members.add(
        optional: "missingScopes", authorization.missingScopes.isEmpty ? nil : authorization.missingScopes,
        "The requested scopes that were not granted.")
      members.add(optional: "tokenType", authorization.tokenType, "The access token's type.")
      members.add(optional: "expiresAt", authorization.expiresAt, "When the access token expires, in Unix seconds.")
      members.add("canRefresh", authorization.canRefresh, "Whether the process can replace the access token without a sign-in.")
      members.add(optional: "subject", authorization.subject, "The user's identifier at the provider.")
      members.add(optional: "email", authorization.email, "The user's e-mail address.")
      members.add(
        optional: "subjectChanged", authorization.subjectChanged ? true : nil,
        "Whether a different user signed in. Only `interaction` `always` allows that.")
      members.add(optional: "signIn", authorization.signIn, "The open sign-in of the account.")
      members.add(optional: "refreshed", refreshed, "Whether this call replaced the token.")
      members.add(optional: "dryRun", dryRun, "The requests that a sign-in would send.")
    }
  }
}
