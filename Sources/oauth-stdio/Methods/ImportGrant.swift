import JSONRPC
import Jansson
import OAuth

/// Takes over what another program kept of a sign-in.
struct ImportGrant: TaskMethod {
  static let name = "importGrant"
  static let summary = "Keeps a grant that another program had, so that the user need not sign in again; the provider is not asked."

  private let account: AccountName
  private let format: ImportFormat
  private let data: JSON
  private let provider: ProviderReference?
  private let clientId: String?
  private let clientSecret: Secret?
  private let scopes: [String]?
  private let redirectUri: String?
  private let issuedAt: Int?
  private let replace: Bool
  private let variables: NamedValues<String>?

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.required("account", "The name under which to keep it.")
    format = try fields.required("format", "The form in which the other program kept it.")
    data = try fields.required(
      "data", "What it kept: a string, or an object by the names of its parts. With json a string may also be an access token by itself.")
    provider = try fields.optional("provider", "Who granted; the configuration's, else a preset of the name that the data has.")
    clientId = try fields.optional("clientId", "The client that it was granted to, or the consumer key.")
    clientSecret = try fields.optional("clientSecret", "Its secret.")
    scopes = try fields.optional(
      "scopes", "What was granted, where the data does not say; without it a refresh may tell, and nothing else.")
    redirectUri = try fields.optional("redirectUri", "The redirect URI of the sign-in, for providers that want it at a refresh.")
    issuedAt = try fields.optional(
      "issuedAt", "When the tokens came, in Unix seconds; without it `expires_in` counts from now.")
    replace = try fields.optional("replace", "Whether to put it in the place of a grant that is there.") ?? false
    variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account.value) {
      let now = service.accounts.now
      let imported = try format.read(data, issuedAt: issuedAt, now: now)
      let grant = try await service.accounts.importGrant(imported, for: try await request(service, imported), replaces: replace)
      let isConfigured = try service.configuredNames.contains(account.value)
      return Result(state: AccountState(account: account.value, stored: StoredGrant(grant), isConfigured: isConfigured, now: now))
    }
  }

  /// The caller's word, and what the configuration knows of the account.
  private func request(_ service: Service, _ imported: ImportedGrant) async throws -> AuthorizeRequest {
    let configured = try service.configuration.account(account.value)
    var request = AuthorizeRequest()
    request.variables = (configured?.variables ?? .init()).merged(with: variables ?? .init())
    request.account = account.value
    request.provider = try provider ?? configured?.provider ?? imported.provider(among: service.presets)
    try await service.check(&request, given: (provider, variables))
    if variables != nil, request.provider == nil { throw FieldError("/variables", "needs a provider beside it") }
    request.clientId = clientId ?? configured?.clientId
    request.clientSecret = clientSecret
    if let configured {
      try await ConfiguredIdentity(configured: configured, account: account.value, service: service)
        .check(request, given: (provider, variables))
      try await ConfiguredSecrets(configured: configured, account: account.value, service: service).add(to: &request)
    }
    // What is configured is what to ask for, and says nothing of what was granted.
    request.scopes = scopes
    request.redirectUri = redirectUri ?? configured?.redirectUri
    return request
  }

  struct Result: Answer {
    static var sample: Result { Result(state: .sample) }

    var state: AccountState

    func list(_ members: inout Members) { state.list(&members) }
  }
}
