import JSONRPC
import Jansson
import OAuth
import OAuthCore

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
    input.credentials.secret = try fields.optional("clientSecret", "The client's secret.")
    try input.readKey(&fields)
    input.credentials.certificate = try fields.optional(
      "clientCertificate", "The certificate with which the client authenticates in TLS (RFC 8705). Calls of the account show it, too.")
    input.scopes = try fields.optional("scopes", "The scopes to request. They replace the provider's usual ones.")
    input.flow = try fields.optional("flow", "The way of signing in. Without it, the account's configuration decides, or `auto` applies.")
    try input.readPage(&fields)
    input.interaction = try fields.optional("interaction", default: .ifNeeded, "Whether the process may ask the user.")
    input.waits = try fields.optional("wait", default: true, "Whether the answer waits for the end of the sign-in.")
    input.timeout = try fields.optional(
      "timeout", in: 1...86_400, "The seconds after which a sign-in ends. Without it, the account's configuration decides, or 300 applies.")
    input.parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request, or of the token request in a flow without a user.")
    input.variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
    dryRun = try fields.optional(
      "dryRun", default: false, "Whether the process returns what a sign-in would send, with masked secrets, and sends nothing.")
    input.clientMetadata = try fields.optional("clientMetadata", ConfiguredAccount.clientMetadataText)
    input.dpop = try fields.optional("dpop", TokenOptions.dpopText)
    try input.clientRequest.readTokens(&fields)
    try input.clientRequest.readValues(&fields)
    input.account = account?.value
    // A dry run opens no page, so it asks no user.
    if dryRun { input.interaction = .ifNeeded }
    try input.check(fields)
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

/// Waits for a sign-in that was started with `wait: false`.
struct AwaitSignIn: Method {
  static let name = "awaitSignIn"
  static let summary = "Waits for an open sign-in and answers like `authorize`. Its timeout ends only the wait."
  static let errors = Errors.signIn
  static let example: MethodExample? = MethodExample(
    #"{"id":"sFTQoZVDdbxn"}"#,
    #"""
    {"account":"me","status":"authorized","via":"signedIn","grantedScopes":["read"],"tokenType":"Bearer",\#
    "canRefresh":false}
    """#)

  private let id: String
  private let timeout: Int?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    id = try fields.required("id", "The sign-in's ID.")
    timeout = try fields.optional("timeout", in: 1...86_400, "The seconds to wait. Without it, the wait lasts as long as the sign-in.")
  }

  func run(_ call: Call, _ service: Service) async throws -> Authorize.Result {
    let outcome = try await service.accounts.awaitSignIn(id: id, timeout: timeout)
    guard let authorization = outcome else { throw FieldError("/id", "is not the ID of a sign-in") }
    return Authorize.Result(authorization: authorization, refreshed: nil)
  }
}

extension SignInPrompt: NestedObject {
  package static var schemaName: String? { "SignIn" }

  package func list(_ members: inout ObjectWriter) {
    members.add("id", id, "The sign-in's ID for `awaitSignIn`.")
    listPage(&members)
  }

  /// Adds the members that the event has, too.
  func listPage(_ members: inout ObjectWriter) {
    members.add("url", url, "The page that the user opens.")
    members.add(optional: "userCode", userCode, "The code that the user types on the page.")
    members.add(optional: "verificationUri", verificationUri, "The page without the code. The user may type the code there.")
    members.add("expiresAt", expiresAt, "When the sign-in or its page expires, in Unix seconds.")
    members.add(optional: "previousIssuer", issuerChange?.previous, "The issuer of the account's grant, if the API names another one now.")
    members.add(optional: "issuer", issuerChange?.current, "The issuer that the API names now.")
  }
}

extension DryRun: NestedObject {
  package func list(_ members: inout ObjectWriter) {
    members.add(optional: "url", url, "The page that would open. It is absent if only a response of the provider tells it.")
    members.add(optional: "redirectUri", redirectUri, "The redirect URI.")
    members.add("requests", steps, "The requests in their order. Words in capitals stand for values that only the provider knows.")
  }
}

extension DryRun.Step: NestedObject {
  package static var schemaName: String? { "DryRunRequest" }

  package func list(_ members: inout ObjectWriter) {
    members.add("step", name, "The purpose of the request.")
    members.add("method", method, "The request's HTTP method.")
    members.add("url", url, "The request's URL.")
    members.add("headers", headers, "The request's headers.")
    members.add(optional: "body", body, "The request's body.")
    members.add(optional: "baseString", baseString, "OAuth 1.0a: the text that the request signs, with masked secrets (RFC 5849, 3.4.1).")
  }
}

/// What `authorize` and `addScopes` share.
extension AuthorizationInput {
  mutating func readPage(_ fields: inout ObjectReader) throws(FieldError) {
    redirectUri = try fields.optional(
      "redirectUri", "The redirect URI: a loopback address, or a URI that the client receives itself.")
    opensBrowser = try fields.optional(
      "openBrowser",
      "Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of "
        + "`initialize`.")
  }

  func check(_ fields: ObjectReader) throws(FieldError) {
    guard !fields.isDescribing else { return }
    try Self.check(scopes: scopes, at: fields.pointer("scopes"))
    try Self.check(clientMetadata: clientMetadata, at: fields.pointer("clientMetadata"))
    try Self.check(parameters: parameters, at: fields.pointer("parameters"))
    guard let redirectUri, redirectUri.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return }
    throw FieldError(fields.pointer("redirectUri"), "must not contain blanks or control characters")
  }
}
