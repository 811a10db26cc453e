import Jansson
import OAuth

/// What the configuration file says: accounts by name, each with what `authorize` would otherwise be told.
struct Configuration: FieldReadable {
  var accounts: NamedValues<ConfiguredEntry>

  init(_ fields: inout Fields) throws(FieldError) {
    accounts = try fields.optional("accounts", "Accounts by name, each with what authorize would otherwise be told.") ?? .init()
    let _: String? = try fields.optional("$schema", "The schema that an editor checks this file with.")
  }
}

/// One account of the configuration, or what is wrong with it: a wrong one affects only itself.
struct ConfiguredEntry: FieldValue {
  static var schema: JSON { ConfiguredAccount.schema }
  static var placeholder: ConfiguredEntry { ConfiguredEntry(account: .success(.placeholder)) }

  let account: Result<ConfiguredAccount, FieldError>

  static func read(_ json: JSON, at path: String) -> ConfiguredEntry {
    ConfiguredEntry(account: Result { () throws(FieldError) in try ConfiguredAccount.read(json, at: path) })
  }

  func write(to writer: inout JSONWriter) { writer.null() }
}

/// One account of the configuration.
struct ConfiguredAccount: FieldObject {
  static var placeholder: ConfiguredAccount { ConfiguredAccount() }

  var provider: ProviderReference?
  var clientId: String?
  var clientSecret: SecretSource?
  var privateKey: SecretSource?
  var scopes: [String]?
  var flow: AuthorizeRequest.Flow?
  var redirectUri: String?
  var openBrowser: Bool?
  var timeout: Int?
  var parameters: NamedValues<String>?
  var variables: NamedValues<String>?

  private init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    provider = try fields.optional("provider", "A preset's name, an https URL, or an object that describes the provider.")
    clientId = try fields.optional("clientId", "The client as it is registered with the provider.")
    clientSecret = try fields.optional("clientSecret", "Its secret, or where to get it.")
    privateKey = try fields.optional("privateKey", "OAuth 1.0a: the client's RSA key in PEM, or where to get it.")
    scopes = try fields.optional("scopes", "Scopes to ask for instead of the provider's usual ones.")
    flow = try fields.optional("flow", "The way the sign-in goes.")
    redirectUri = try fields.optional("redirectUri", "Where the provider sends the user back to.")
    openBrowser = try fields.optional("openBrowser", "Whether to open the page.")
    timeout = try fields.optional("timeout", in: 1...86_400, "Seconds until a sign-in is given up.")
    parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request; with clientCredentials, of the token request.")
    variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
  }

  func write(to writer: inout JSONWriter) { writer.null() }
}

/// A client secret or key as it is written down, or where it comes from.
enum SecretSource: FieldValue {
  case literal(Secret)
  case environment(String)
  case command([String])

  static var schema: JSON {
    func object(_ name: String, _ schema: JSON) -> JSON {
      ["type": "object", "properties": .object([.init(name, schema)]), "required": .array([.string(name)]), "additionalProperties": false]
    }
    return [
      "anyOf": [
        ["type": "string"], object("env", ["type": "string"]),
        object("command", ["type": "array", "items": ["type": "string"], "minItems": 1]),
      ]
    ]
  }

  static var placeholder: SecretSource { .environment("") }

  static func read(_ json: JSON, at path: String) throws(FieldError) -> SecretSource {
    switch json {
    case .string(let secret): return .literal(Secret(secret))
    case .object(let members) where members.count == 1 && members[0].name == "env":
      return .environment(try String.read(members[0].value, at: path + "/env"))
    case .object(let members) where members.count == 1 && members[0].name == "command":
      let words = try [String].read(members[0].value, at: path + "/command")
      guard !words.isEmpty else { throw FieldError(path + "/command", "must not be empty") }
      return .command(words)
    default: throw FieldError(path, "has to be a string, {\"env\": …} or {\"command\": […]}")
    }
  }

  func write(to writer: inout JSONWriter) { writer.null() }
}
