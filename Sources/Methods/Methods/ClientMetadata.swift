import JSONRPC
import Jansson
import OAuthCore
import Plans

/// Prints the document to publish at `clientMetadata` (draft-ietf-oauth-client-id-metadata-document).
struct ClientMetadata: Method {
  static let name = "client-metadata"
  static let errors = Errors.names(.configurationInvalid)

  private let account: String?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let name: AccountName? = try fields.optional(
      "account", "The account whose document is printed. Without it, the document is that of all accounts without their own.")
    account = name?.value
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    // No account has the empty name.
    guard let found = try service.configuration.account(account ?? ""), let url = found.clientMetadata else {
      throw service.configuration.file.invalid("/clientMetadata", "is missing: name the https URL at which you publish the document")
    }
    let ports = found.redirectPorts ?? []
    let uris = ports.isEmpty ? ["http://127.0.0.1/callback"] : ports.map { "http://127.0.0.1:\($0)/callback" }
    return Result(id: url, redirectUris: uris)
  }

  struct Result: JSONObjectConvertible {
    static let schemaName: String? = "ClientMetadataDocument"
    static var sample: Result { Result(id: "", redirectUris: [""]) }

    let id: String
    let redirectUris: [String]

    func list(_ members: inout ObjectWriter) {
      members.add("client_id", id, "The document's own URL.")
      members.add("client_name", RegistrationRequest.clientName, "The client's name for users.")
      members.add("application_type", RegistrationRequest.applicationType, "The kind of client.")
      members.add("redirect_uris", redirectUris, "The redirect URIs, one for each of `redirectPorts`.")
      members.add("grant_types", ["authorization_code", "refresh_token"], "The grants that the client asks for.")
      members.add("response_types", ["code"], "The responses that the client expects.")
      members.add("token_endpoint_auth_method", RegistrationRequest.defaultMethod, "The client has no secret.")
    }
  }
}
