import Jansson
import OAuthCore
import Store

/// The members of a sign-in, each read by one row and merged by one: those of a request, or those of an account's entry in the configuration.
///
/// A member that is nil comes from the entry, from the stored grant, or has a default.
package struct SignInOptions: Sendable {
  /// Where the members stand. Only an entry names sources of secrets and what the process reads, runs and listens at.
  package enum Place { case request, entry, addScopes, imported }

  package var provider: ProviderReference?
  package var clientId: String?
  package var clientSecret: SecretSource?
  package var privateKey: SecretSource?
  var keyId: String?
  var signingAlgorithm: JSONWebAlgorithm?
  package var clientCertificate: ConfiguredCertificate?
  /// What authenticates the client: a request's own texts, or what was loaded from an entry's sources for a request that wants it.
  package var credentials = ClientCredentials()
  package var scopes: [String]?
  package var flow: AuthorizationInput.Flow?
  package var redirectUri: String?
  /// Where the process waits for the redirect, if that is not the redirect URI's own address.
  package var listen: LoopbackAddress?
  /// The command of the account's own browser.
  package var browser: [String]?
  package var openBrowser: Bool?
  package var interaction = AuthorizationInput.Interaction.ifNeeded
  package var waits = true
  /// Seconds after which a sign-in ends.
  package var timeout: Int?
  package var parameters: NamedValues<String>?
  /// Values for {names} in the provider's description.
  package var variables: NamedValues<String>?
  /// The URL of a document that describes the client. It is the client's ID at servers that read it.
  package var clientMetadata: String?
  package var redirectPorts: [Int]?
  /// Whether the tokens are bound to a key (RFC 9449).
  package var dpop: Bool?
  /// The resources of the tokens (RFC 8707), joined by blanks; `off` for none, and nil for those of the provider.
  var resource: String?
  /// For flows without a user: where an entry has the tokens, and what else is sent.
  package var sources = ClientSources()
  package var clientRequest = ClientRequest()

  /// In seconds.
  package static let usualTimeout = 300

  package init() {}

  package init(_ fields: inout ObjectReader, in place: Place) throws(FieldError) {
    let isDerived = place == .entry
    let isWhole = isDerived || place == .request
    /// Reads a member of these places. The first text is that of a request, of an entry, and of one place more.
    func read<Value: FieldValue>(
      _ name: String, _ text: String?, also: Place = .request, entry: String? = nil, addScopes: String? = nil, imported: String? = nil
    ) throws(FieldError) -> Value? {
      let own = place == .request ? nil : isDerived ? entry : place == .addScopes ? addScopes : imported
      guard let text = own ?? (isWhole || place == also ? text : nil) else { return nil }
      return try fields.optional(name, text)
    }
    /// Reads a secret or a token. In a request it is a text.
    func secret(
      _ name: String, of kinds: [SecretSource.Kind] = SecretSource.Kind.secret, _ text: String, request: String = "",
      entry: String = ", or its source"
    ) throws(FieldError) -> SecretSource? {
      try fields.source(name, of: isDerived ? kinds : [], fields.isDescribing ? text + (isDerived ? entry : request) + "." : "")
    }
    provider = try read(
      "provider", "The provider: a preset's name, an https URL, or a description.",
      imported: "The provider that issued the grant. Without it, the account's configuration names the provider, or the data names a "
        + "preset.")
    clientId = try read(
      "clientId", "The ID of the client as the provider registered it. It is unnecessary if clients register themselves.",
      imported: "The ID of the client with the grant, or the consumer key.")
    if place != .addScopes { clientSecret = try secret("clientSecret", "The client's secret") }
    if isWhole {
      privateKey = try secret(
        "privateKey", of: SecretSource.Kind.key, "The client's private key",
        request: ": PEM (PKCS#8, PKCS#1 or SEC1), or a JWK as a string. It authenticates the client (RFC 7523)",
        entry: ", or its source: PEM (PKCS#8, PKCS#1 or SEC1) or a JWK. With `sign`, a command signs: it gets the bytes on standard input "
          + "and prints the signature, which for ECDSA is R and S concatenated. Beside a `clientSecret`, the secret authenticates the client, "
          + "unless `clientAuthentication` is `privateKeyJwt`. For OAuth 1.0a, an RSA key in PEM")
    }
    keyId = try read("keyId", "The ID of that key at the server. It becomes the header `kid` of the client's assertions.")
    signingAlgorithm = try read(
      "signingAlgorithm",
      "The algorithm of that key. Without it, RS256, ES256, ES384, ES512 or EdDSA applies, as the key's type wants. With HS256, HS384 or "
        + "HS512, the key is a secret: `privateKey`, or else `clientSecret`.")
    let certificate = "The certificate with which the client authenticates in TLS (RFC 8705). Calls of the account show it, too."
    if isDerived { clientCertificate = try fields.optional(ClientCertificate.member, certificate) }
    if place == .request { credentials.certificate = try fields.optional(ClientCertificate.member, certificate) }
    scopes =
      try place == .addScopes
      ? fields.required("scopes", "The scopes to request in addition to the granted ones.")
      : read(
        "scopes", "The scopes to request. They replace the provider's usual ones.",
        imported: "The granted scopes, if the data does not name them. Without them, the account's entry counts, or a refresh tells them.")
    flow =
      try isDerived
      ? fields.optional("flow", default: .auto, "The way of signing in.")
      : read("flow", "The way of signing in. Without it, the account's configuration decides, or `auto` applies.")
    redirectUri = try read(
      "redirectUri", "The redirect URI: a loopback address, or a URI that the client receives itself.", also: .addScopes,
      entry: "The redirect URI. The provider sends the user back to it.",
      imported: "The redirect URI of the sign-in. Some providers need it for a refresh.")
    let listen: String? = try read(
      "listen", nil,
      entry:
        "The IP address and the port at which the process waits for the redirect, such as `127.0.0.1:8000`, if a tunnel, an ingress or "
        + "a container leads the `redirectUri` there. It is open while a sign-in is, and any user or machine that reaches it may send a "
        + "redirect.")
    browser = try read(
      "browser", nil,
      entry: "The command that opens the sign-in's address in a browser, such as `[\"firefox\", \"-P\", \"work\"]`. The address replaces "
        + "`%s`, or is added. It is one of this machine, which leads to the page.")
    openBrowser = try read(
      "openBrowser",
      "Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of "
        + "`initialize`.",
      also: .addScopes, entry: "Whether the process opens the page. Without it, the capability `openUrl` of `initialize` decides.")
    if place == .request { interaction = try fields.optional("interaction", default: .ifNeeded, "Whether the process may ask the user.") }
    let ends = "The seconds after which a sign-in ends."
    if isDerived { timeout = try fields.optional("timeout", in: 1...86_400, default: Self.usualTimeout, ends) }
    if place == .request || place == .addScopes {
      waits = try fields.optional("wait", default: true, "Whether the answer waits for the end of the sign-in.")
      timeout = try fields.optional("timeout", in: 1...86_400, ends + " Without it, the account's configuration decides, or 300 applies.")
    }
    parameters = try read(
      "parameters", "Extra parameters of the authorization request, or of the token request in a flow without a user.",
      addScopes: "Extra parameters of the authorization request. The process adds `login_hint` itself.")
    variables = try read("variables", "Values for {names} in the provider's description, such as a tenant or a host.", also: .imported)
    if isWhole { (clientMetadata, redirectPorts) = try Self.clientMetadata(&fields, readsPorts: isDerived) }
    dpop = try read("dpop", TokenOptions.dpopText)
    let resources: OneOrMany? = try read(
      "resource", nil,
      entry: "The resource that the tokens are for, or several (RFC 8707). With `off`, the process names none. Without it, the provider's "
        + "description decides.")
    resource = resources?.values.joined(separator: " ")
    if isWhole {
      for (member, text) in ClientRequest.tokens {
        let token = try secret(
          member, of: SecretSource.Kind.token, text, request: ". It is stored with the grant, and each refresh sends it again",
          entry: ", or its source, which is read for each request" + (ClientSources.accountTexts[member] ?? ""))
        if isDerived, let token { sources.tokens.append((member, token)) }
        if !isDerived, let token = token?.literal { clientRequest[member] = .string(token.value) }
      }
      if isDerived {
        sources.serviceAccount = try fields.source(
          "serviceAccount",
          "The source of Google's file for a service account (`service_account`) or a workload of another platform (`external_account`).")
      }
      sources.executable = try read("executable", nil, entry: "The command of that file, exactly as it is there. No other one runs.")
      sources.subject = try read(
        "subject", nil, entry: "The e-mail address of the user whom the service account acts for (domain-wide delegation).")
      sources.impersonate = try read(
        "impersonate", nil, entry: "The e-mail address of the service account that the one of the file impersonates.")
      try clientRequest.readValues(&fields)
    }
    if !fields.isDescribing { try settle(fields, listen, resources?.values ?? [], in: place) }
  }

  /// Reads what the file may say of all accounts and of each, and a request of the document.
  package static func clientMetadata(
    _ fields: inout ObjectReader, readsPorts: Bool = true
  ) throws(FieldError) -> (url: String?, ports: [Int]?) {
    let url: String? = try fields.optional(
      "clientMetadata",
      "The https URL of a document that describes the client. Authorization servers that read such documents take it as the client's ID.")
    let portsText = "The ports of the redirect URIs in that document. Without them, the process uses any free port."
    let ports: [Int]? = readsPorts ? try fields.optional("redirectPorts", portsText) : nil
    if !fields.isDescribing, let url {
      // A URL that can be a client's ID (draft-ietf-oauth-client-id-metadata-document, 3).
      let parts = try? URLParts(url)
      guard let parts, parts.scheme == "https", parts.path.utf8.count > 1, parts.fragment == nil, parts.userInfo == nil else {
        throw FieldError(fields.pointer("clientMetadata"), "must be an https URL with a path, without a fragment and a user name")
      }
    }
    for (index, port) in (ports ?? []).enumerated() where !(1...65535).contains(port) {
      throw FieldError(fields.pointer("redirectPorts") + "/\(index)", "must be a port from 1 to 65535")
    }
    return (url, ports)
  }
}

/// Where the configuration has the tokens of a request without a user. They are read for each request.
package struct ClientSources: Sendable {
  package var tokens: [(member: String, source: SecretSource)] = []
  /// A file of Google's, the command in it that may run, the user whom its account acts for, and the service account that it impersonates.
  package var serviceAccount: SecretSource?
  package var executable: String?
  package var subject: String?
  package var impersonate: String?

  /// What a token of another account is.
  static let accountTexts = [
    "subjectToken": ". `{\"account\": NAME}` is that account's access token, or what `subjectTokenType` names, such as its ID token "
      + "(`id_token`). With `identityAssertion` it is the account of the user's identity provider, whose ID token or refresh token counts",
    "actorToken": ". `{\"account\": NAME}` is that account's access token, or what `actorTokenType` names",
  ]

  package var isEmpty: Bool { serviceAccount == nil && tokens.isEmpty }

  package subscript(_ member: String) -> SecretSource? { tokens.first { $0.member == member }?.source }
}
