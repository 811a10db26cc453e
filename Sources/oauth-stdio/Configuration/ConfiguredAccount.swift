import Jansson
import OAuth
import OAuthCore

/// One account of the configuration.
struct ConfiguredAccount: FieldObject {
  static var placeholder: ConfiguredAccount { ConfiguredAccount() }

  var provider: ProviderReference?
  var clientId: String?
  var clientSecret: SecretSource?
  var privateKey: SecretSource?
  var scopes: [String]?
  var flow = AuthorizationInput.Flow.auto
  var redirectUri: String?
  var openBrowser: Bool?
  var timeout = 300
  var parameters: NamedValues<String>?
  var variables: NamedValues<String>?

  private init() {}

  init(_ fields: inout ObjectReader) throws(FieldError) {
    provider = try fields.optional("provider", "The provider: a preset's name, an https URL, or a description.")
    clientId = try fields.optional("clientId", "The ID of the client as the provider registered it.")
    clientSecret = try fields.optional("clientSecret", "The client's secret, or its source.")
    privateKey = try fields.optional("privateKey", "OAuth 1.0a: the client's RSA key in PEM, or its source.")
    scopes = try fields.optional("scopes", "The scopes to request. They replace the provider's usual ones.")
    flow = try fields.optional("flow", default: .auto, "The way of signing in.")
    redirectUri = try fields.optional("redirectUri", "The redirect URI. The provider sends the user back to it.")
    openBrowser = try fields.optional(
      "openBrowser",
      "Whether the process opens the page. Without it, the capability `openUrl` of `initialize` decides.")
    timeout = try fields.optional("timeout", in: 1...86_400, default: 300, "The seconds after which a sign-in ends.")
    parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request. With `clientCredentials`, they are parameters of the token request.")
    variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
  }
}
