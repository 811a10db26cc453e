import Jansson
import OAuthCore
import Store

/// One account of the configuration: defaults for the requests about it, and the limits of what they may ask for.
package struct ConfiguredAccount: FieldObject {
  /// Returns the account of this name in the configuration.
  package typealias Reader = @Sendable (_ name: String) throws(OAuthFailure) -> ConfiguredAccount?
  /// Returns the secret from its source. `member` is its place in the account's entry, for messages.
  package typealias SecretReader =
    @Sendable (_ source: SecretSource, _ account: String, _ member: String) async throws(OAuthFailure) -> Secret

  package static let schemaName: String? = "ConfiguredAccount"

  var provider: ProviderReference?
  var clientId: String?
  package var clientMetadata: String?
  package var redirectPorts: [Int]?
  package var clientSecret: SecretSource?
  package var privateKey: SecretSource?
  package var clientCertificate: ConfiguredCertificate?
  var keyId: String?
  var signingAlgorithm: JSONWebAlgorithm?
  var scopes: [String]?
  var flow = AuthorizationInput.Flow.auto
  var redirectUri: String?
  /// Where the process waits for the redirect, if that is not the redirect URI's own address.
  package var listen: LoopbackAddress?
  var openBrowser: Bool?
  /// The command of the account's own browser.
  package var browser: [String]?
  var timeout = Self.usualTimeout
  var parameters: NamedValues<String>?
  var variables: NamedValues<String>?
  /// The resources of the tokens (RFC 8707), joined by blanks; `off` for none, and nil for those of the provider.
  var resource: String?

  var dpop: Bool?
  /// For flows without a user.
  var sources = ClientSources()
  var clientRequest = ClientRequest()

  /// The credentials from their sources. They are loaded only for a request that wants them.
  var loaded = ClientCredentials()
  /// The account's name and the file, for messages.
  package var place: (account: String, file: JSONFile)?

  /// Whether the tokens are the client's own (RFC 6749, 4.4). They need no sign-in.
  package var isForClient: Bool { flow.isForClient }

  /// Whether a sign-in may open a page in a browser of this machine.
  package var needsBrowser: Bool { flow == .auto || flow == .browser }

  /// In seconds.
  static let usualTimeout = 300

  package static let clientMetadataText =
    "The https URL of a document that describes the client. Authorization servers that read such documents take it as the client's ID."

  /// What the file says of an account without an entry; nil if that is nothing.
  package init?(client: (url: String?, ports: [Int]?)) {
    if client.url == nil { return nil }
    (clientMetadata, redirectPorts) = client
  }

  package mutating func takeUnlessSet(_ client: (url: String?, ports: [Int]?)) {
    (clientMetadata, redirectPorts) = (clientMetadata ?? client.url, redirectPorts ?? client.ports)
  }

  /// Reads what the file may say of all accounts and of each.
  package static func clientMetadata(_ fields: inout ObjectReader) throws(FieldError) -> (url: String?, ports: [Int]?) {
    let url: String? = try fields.optional("clientMetadata", clientMetadataText)
    let ports: [Int]? = try fields.optional(
      "redirectPorts", "The ports of the redirect URIs in that document. Without them, the process uses any free port.")
    guard !fields.isDescribing else { return (url, ports) }
    try AuthorizationInput.check(clientMetadata: url, at: fields.pointer("clientMetadata"))
    for (index, port) in (ports ?? []).enumerated() where !(1...65535).contains(port) {
      throw FieldError(fields.pointer("redirectPorts") + "/\(index)", "must be a port from 1 to 65535")
    }
    return (url, ports)
  }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    provider = try fields.optional("provider", "The provider: a preset's name, an https URL, or a description.")
    clientId = try fields.optional("clientId", "The ID of the client as the provider registered it.")
    clientSecret = try fields.source("clientSecret", "The client's secret, or its source.")
    try readKey(&fields)
    clientCertificate = try fields.optional(
      "clientCertificate", "The certificate with which the client authenticates in TLS (RFC 8705). Calls show it, too.")
    scopes = try fields.optional("scopes", "The scopes to request. They replace the provider's usual ones.")
    if !fields.isDescribing { try AuthorizationInput.check(scopes: scopes, at: fields.pointer("scopes")) }
    flow = try fields.optional("flow", default: .auto, "The way of signing in.")
    redirectUri = try fields.optional("redirectUri", "The redirect URI. The provider sends the user back to it.")
    let listen: String? = try fields.optional(
      "listen",
      "The IP address and the port at which the process waits for the redirect, such as `127.0.0.1:8000`, if a tunnel, an ingress or a container "
        + "leads the `redirectUri` there. It is open while a sign-in is, and any user or machine that reaches it may send a redirect.")
    if let listen {
      self.listen = LoopbackAddress(listen: listen)
      let problem = redirectUri == nil ? "needs a redirectUri beside it" : "must be an IP address and a port, such as 127.0.0.1:8000"
      if self.listen == nil || redirectUri == nil { throw FieldError(fields.pointer("listen"), problem) }
    }
    browser = try fields.optional(
      "browser",
      "The command that opens the sign-in's address in a browser, such as `[\"firefox\", \"-P\", \"work\"]`. The address replaces `%s`, or is added. "
        + "It is one of this machine, which leads to the page.")
    if browser?.first?.isEmpty ?? (browser != nil) { throw FieldError(fields.pointer("browser"), "must name a program") }
    openBrowser = try fields.optional(
      "openBrowser", "Whether the process opens the page. Without it, the capability `openUrl` of `initialize` decides.")
    timeout = try fields.optional("timeout", in: 1...86_400, default: Self.usualTimeout, "The seconds after which a sign-in ends.")
    parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request, or of the token request in a flow without a user.")
    variables = try fields.optional("variables", "Values for {names} in the provider's description, such as a tenant or a host.")
    (clientMetadata, redirectPorts) = try Self.clientMetadata(&fields)
    dpop = try fields.optional("dpop", TokenOptions.dpopText)
    let resources: OneOrMany? = try fields.optional(
      "resource",
      "The resource that the tokens are for, or several (RFC 8707). With `off`, the process names none. Without it, the provider's description "
        + "decides.")
    resource = resources?.values.joined(separator: " ")
    sources = try ClientSources(&fields)
    try clientRequest.readValues(&fields)
    // Its assertion takes the place of a client and a user.
    if sources.serviceAccount != nil { provider = provider ?? .preset("google") }
    if flow == .auto, sources.serviceAccount != nil || provider?.takesOnlyAssertions == true { flow = .jwtBearer }
    if !fields.isDescribing { try checkClientMembers(fields) }
    if resource != "off", let all = resources?.values, all.isEmpty || !all.allSatisfy({ $0.contains(":") && !$0.contains(" ") }) {
      throw FieldError(fields.pointer("resource"), "must be a URI, a list of URIs, or off")
    }
    if let resource, let named = provider { provider = named.with(resource: resource) }
  }

  package func write(to writer: inout JSONWriter) { writer.null() }

  /// Whether the configured provider and client count. `addScopes` keeps those of the grant, unless the grant's client is the configured one.
  func decides(_ input: AuthorizationInput, _ stored: Grant?) -> Bool {
    input.purpose != .addScopes || (provider != nil && clientId != nil && stored?.client.id == clientId)
  }

  /// The failure for a secret that is configured without its provider.
  var missingProvider: OAuthFailure {
    let account = ObjectReader.pointer(to: place?.account ?? "", in: "/accounts")
    return (place?.file ?? JSONFile("", "the configuration")).invalid(
      ObjectReader.pointer(to: "provider", in: account),
      "is missing: the account's secret is sent only to a provider that the configuration names, so name the provider here as well")
  }
}

extension OAuthFailure {
  /// Returns a fault of the configured provider or redirect URI with the file and the place in it; any other failure as it is.
  func blaming(configuration: ConfiguredAccount) -> OAuthFailure {
    guard let place = configuration.place, kind == .configurationInvalid, let path = self["path"]?.string,
      path.hasPrefix("/provider") || ["/privateKey", "/listen"].contains(path) || path == "/redirectUri" && configuration.redirectUri != nil
    else { return self }
    var placed = place.file.invalid(ObjectReader.pointer(to: place.account, in: "/accounts") + path, "is wrong: \(message)")
    placed.details += details.filter { $0.name != "path" }
    return placed.of(place.account)
  }
}

extension FieldError {
  /// Returns a fault of the account's entry as one of the file.
  func blaming(configuration: ConfiguredAccount) -> any Error {
    let place = configuration.place
    return place.map { $0.file.invalid(ObjectReader.pointer(to: $0.account, in: "/accounts") + path, wholeProblem) } ?? self
  }
}
