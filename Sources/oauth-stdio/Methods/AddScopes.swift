import JSONRPC
import Jansson
import OAuth

/// Asks the account's user for more than was granted.
struct AddScopes: TaskMethod {
  static let name = "addScopes"
  static let summary =
    "Asks for scopes beside those that are granted; succeeds at once if none is missing. Only the account's own user may grant them."

  private let account: String
  private let scopes: [String]
  private let redirectUri: String?
  private let openBrowser: Bool?
  private let wait: Bool?
  private let timeout: Int?
  private let parameters: NamedValues<String>?

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
    scopes = try fields.required("scopes", "Scopes to ask for beside those that are granted.")
    redirectUri = try fields.optional("redirectUri", "A loopback address, or any URI whose opening the client catches itself.")
    openBrowser = try fields.optional("openBrowser", "Whether to open the page; true by default.")
    wait = try fields.optional("wait", "Whether to answer when they are granted (true, the default) or at once.")
    timeout = try fields.optional("timeout", in: 1...86_400, "Seconds until the sign-in is given up; 300 by default.")
    parameters = try fields.optional("parameters", "Extra parameters of the authorization request; login_hint is there by itself.")
    if !fields.isDescribing {
      if scopes.isEmpty { throw FieldError(fields.pointer("scopes"), "must not be empty") }
      if let redirectUri { try Authorize.check(redirectUri, at: fields.pointer("redirectUri")) }
    }
  }

  /// The configured secret goes where `authorize` would send it: to the configured provider, for the configured client.
  static func addSecret(
    to request: inout AuthorizeRequest, of account: String, _ configured: ConfiguredAccount?, _ service: Service
  ) async throws {
    guard let configured, let provider = configured.provider, let stored = try service.accounts.stored(account),
      stored.client.id == configured.clientId
    else { return }
    request.provider = provider
    request.clientId = configured.clientId
    request.variables = configured.variables ?? .init()
    try await service.check(&request, given: (nil, nil))
    try await ConfiguredSecrets(configured: configured, account: account, service: service).add(to: &request)
  }

  func run(_ call: Call, _ service: Service) async throws -> AuthorizationResult {
    try await service.telling(call, account) {
      let configured = try service.configuration.account(account)
      var request = AuthorizeRequest()
      request.account = account
      request.scopes = scopes
      request.redirectUri = redirectUri ?? configured?.redirectUri
      request.opensBrowser = openBrowser ?? configured?.openBrowser ?? !service.clientOpensPages.load(ordering: .relaxed)
      request.waits = wait ?? true
      request.timeout = timeout ?? configured?.timeout ?? 300
      request.parameters = parameters ?? configured?.parameters ?? .init()
      request.cause = call.id?.json
      try await Self.addSecret(to: &request, of: account, configured, service)
      do {
        return AuthorizationResult(authorization: try await service.accounts.addScopes(request), refreshed: nil)
      } catch let failure as OAuthFailure where redirectUri != nil {
        throw Service.paramsFault(failure, at: "/redirectUri") ?? failure
      }
    }
  }
}
