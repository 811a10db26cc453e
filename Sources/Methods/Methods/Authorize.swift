import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Plans

/// Makes an account usable: with its stored grant, a refresh, or a sign-in by the user.
struct Authorize: Method {
  static let name = "authorize"
  static let errors = Errors.asking

  private var input: AuthorizationInput
  private let dryRun: Bool

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let account: AccountName? = try fields.optional(
      "account", "The account's name. Without it, the preset's name or the provider's host names the account.")
    input = AuthorizationInput(account: account?.value)
    input.options = try SignInOptions(&fields, in: .request)
    dryRun = try fields.optional(
      "dryRun", default: false, "Whether the process returns what a sign-in would send, with masked secrets, and sends nothing.")
    // A dry run opens no page, so it asks no user.
    if dryRun { input.interaction = .ifNeeded }
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, input.account, within: input.options.timeout) {
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
  static let errors = Errors.signIn

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
