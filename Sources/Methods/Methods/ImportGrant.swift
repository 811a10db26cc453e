import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Store

/// Imports the grant that another program stored.
struct ImportGrant: Method {
  static let name = "importGrant"
  static let summary =
    "Stores a grant from another program, so the user need not sign in again. The process does not check the tokens with the provider."
  static let errors = Errors.discovery
  static let example: MethodExample? = MethodExample(
    #"""
    {"account":"h","format":"gtmoauth2","data":"refresh_token=1%2Fr&serviceProvider=Google&email=a%40b.example",\#
    "clientId":"c"}
    """#,
    #"""
    {"account":"h","canAuthorize":true,"untried":true,"provider":"Google","preset":"google","clientId":"c","tokenType":"Bearer",\#
    "expiresAt":1795231455,"refreshedAt":1795227855,"canRefresh":true,"email":"a@b.example","key":"file"}
    """#)

  private var input = AuthorizationInput()
  private let account: String
  private let format: ImportFormat
  private let data: JSON
  private let issuedAt: Int?
  private let replace: Bool

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    input.account = account
    format = try fields.required("format", "The format of the exported data.")
    data = try fields.required(
      "data",
      "The exported data: a string, or an object with the names of its parts. In the format `json`, a string may also be an "
        + "access token.")
    input.provider = try fields.optional(
      "provider",
      "The provider that issued the grant. Without it, the account's configuration names the provider, or the data names a " + "preset.")
    input.clientId = try fields.optional("clientId", "The ID of the client with the grant, or the consumer key.")
    input.credentials.secret = try fields.optional("clientSecret", "The client's secret.")
    input.scopes = try fields.optional(
      "scopes", "The granted scopes, if the data does not name them. Without them, only a refresh may reveal the scopes.")
    input.redirectUri = try fields.optional("redirectUri", "The redirect URI of the sign-in. Some providers need it for a refresh.")
    issuedAt = try fields.optional(
      "issuedAt", "The time when the program received the tokens, in Unix seconds. Without it, `expires_in` counts from now.")
    replace = try fields.optional("replace", default: false, "Whether the grant replaces an existing one.")
    input.variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
  }

  func run(_ call: Call, _ service: Service) async throws -> AccountState {
    try await service.reportingFailure(call, account) {
      let now = service.accounts.now
      let imported = try format.read(data, issuedAt: issuedAt, now: now)
      let grant = try await service.accounts.importGrant(imported, for: input, replaces: replace)
      let configured = try service.configuration.isForClient(account)
      return AccountState(account: account, grant: grant, key: service.accounts.keySource?.name, configured: configured, now: now)
    }
  }
}

/// Returns a whole grant, for a program that takes over. Requires that the user started the process with `--allow-export`.
struct ExportGrant: Method {
  static let name = "exportGrant"
  static let summary =
    "Returns the account's tokens as a token response that `importGrant` accepts. The process must have the option " + "`--allow-export`."
  static let errors = Errors.stored + Errors.names(.signInRequired, .unsupportedByProvider)
  static let example: MethodExample? = MethodExample(
    #"{"account":"who"}"#,
    #"""
    {"account":"who","format":"json","data":{"oauth_stdio":{"issuedAt":1600000000,"grantedScopes":[],\#
    "subject":"https://ann.example/","attributes":{"fullname":"Ann"}}},"clientId":"","provider":"openid.example",\#
    "description":{"protocol":"openid2","openidEndpoint":"https://openid.example/"}}
    """#)

  private let account: String

  init(_ fields: inout ObjectReader) throws(FieldError) { account = try fields.account() }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account) {
      guard service.allowsExport else {
        throw OAuthFailure(
          .configurationInvalid, "exportGrant works only in a process that was started with --allow-export",
          details: [.init("path", "--allow-export")], account: account)
      }
      let grant = try await service.accounts.exported(account)
      if grant.dpopKey != nil { _ = try grant.bareToken() }
      try await service.accounts.recordUse(account, by: Self.name, within: Accounts.defaultTimeoutSeconds)
      return Result(grant: grant, now: service.accounts.now)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(grant: .sample, now: 0) }

    var grant: Grant
    var now: Int

    func list(_ members: inout ObjectWriter) {
      members.add("account", grant.account, "The account's name.")
      members.add("format", ImportFormat.json, "The format of the data for `importGrant`.")
      members.add("data", grant.tokenResponse(at: now), "The token response. A program that has it can use the account.")
      members.add("clientId", grant.client.id, "The ID of the client with the grant.")
      members.add(optional: "provider", grant.providerName.isEmpty ? nil : grant.providerName, "The provider's name for users.")
      members.add(optional: "preset", grant.preset, "The provider's name for `importGrant`, if it has one.")
      members.add("description", grant.exportedProvider, "The provider's description for `importGrant`.")
    }
  }
}
