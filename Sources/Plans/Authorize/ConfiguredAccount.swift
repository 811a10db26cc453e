import Jansson
import OAuthCore
import Store

/// One account of the configuration: defaults for the requests about it, and the limits of what they may ask for.
@dynamicMemberLookup package struct ConfiguredAccount: FieldObject {
  /// Returns the account of this name in the configuration.
  package typealias Reader = @Sendable (_ name: String) throws(OAuthFailure) -> ConfiguredAccount?
  /// Returns the secret from its source. `member` is its place in the account's entry, for messages.
  package typealias SecretReader =
    @Sendable (_ source: SecretSource, _ account: String, _ member: String) async throws(OAuthFailure) -> Secret

  package static let schemaName: String? = "ConfiguredAccount"

  /// The members of the entry, which are those of the account, too.
  var options = SignInOptions()
  /// The other token of a login for which the entry is a name. It then has nothing else.
  package var derived: DerivedAccount?
  /// The account's name and the file, for messages.
  package var place: (account: String, file: JSONFile)?

  /// Whether the tokens are the client's own (RFC 6749, 4.4). They need no sign-in.
  package var isForClient: Bool { options.flow?.isForClient == true }

  /// Whether a sign-in may open a page in a browser of this machine.
  package var needsBrowser: Bool { [nil, .auto, .browser].contains(options.flow) }

  /// Where the entry's secrets come from.
  package var secretSources: [SecretSource] {
    [options.clientSecret, options.privateKey, options.sources.serviceAccount].compactMap(\.self)
      + options.sources.tokens.map(\.source) + (options.clientCertificate?.sources ?? [])
  }

  /// Whether the entry contains a secret itself, rather than a secret's source.
  package var hasLiteralSecret: Bool {
    secretSources.contains(where: \.isLiteralSecret) || options.provider?.json["privateKey"]?.string?.isEmpty == false
  }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    derived = try DerivedAccount(&fields)
    if derived == nil { options = try SignInOptions(&fields, in: .entry) }
  }

  /// What the file says of an account without an entry; nil if that is nothing.
  package init?(client: (url: String?, ports: [Int]?)) {
    if client.url == nil { return nil }
    (options.clientMetadata, options.redirectPorts) = client
  }

  package subscript<Value>(dynamicMember member: WritableKeyPath<SignInOptions, Value>) -> Value {
    get { options[keyPath: member] }
    set { options[keyPath: member] = newValue }
  }

  package mutating func takeUnlessSet(_ client: (url: String?, ports: [Int]?)) {
    (options.clientMetadata, options.redirectPorts) = (options.clientMetadata ?? client.url, options.redirectPorts ?? client.ports)
  }

  /// Whether the account's key or secret, or its identity provider, signs assertions for the provider.
  func hasAssertions(at provider: Provider) -> Bool {
    let signs: [TokenOptions.ClientAuthentication] = [.privateKeyJwt, .clientSecretJwt]
    return options.privateKey != nil || options.flow == .identityAssertion || signs.contains(provider.token.clientAuthentication)
  }

  /// Whether the configured provider and client count. `addScopes` keeps those of the grant, unless the grant's client is the configured one.
  func decides(_ input: AuthorizationInput, _ stored: Grant?) -> Bool {
    input.purpose != .addScopes || (options.provider != nil && options.clientId != nil && stored?.client.id == options.clientId)
  }

  /// Reads the credentials that the request wants: those of the configured client that it does not bring itself. `read` gets each source and its
  /// place in the entry.
  package mutating func load(
    for input: AuthorizationInput, _ stored: Grant?, _ read: (_ source: SecretSource, _ member: String) async throws -> Secret
  ) async throws {
    guard decides(input, stored), input.clientId == nil || input.clientId == options.clientId else { return }
    let (brought, algorithm) = (input.credentials, options.signingAlgorithm)
    func key(_ material: ClientKey.Material) -> ClientKey { ClientKey(material, id: options.keyId, algorithm: algorithm?.rawValue) }
    if brought.secret == nil, let source = options.clientSecret { options.credentials.secret = try await read(source, "clientSecret") }
    if options.privateKey == nil, algorithm?.needsSecret == true, let secret = options.credentials.secret {
      options.credentials.key = key(.text(secret))
    }
    if brought.key == nil, let source = options.privateKey {
      if case .signer(let words) = source {
        options.credentials.key = key(.command(words, of: place?.account ?? ""))
      } else {
        options.credentials.key = key(.text(try await read(source, "privateKey")))
      }
    }
    if brought.certificate == nil, let certificate = options.clientCertificate {
      options.credentials.certificate = try await certificate.read(self, read)
    }
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
  package func blaming(configuration: ConfiguredAccount) -> OAuthFailure {
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
  package func blaming(configuration: ConfiguredAccount) -> any Error {
    let place = configuration.place
    return place.map { $0.file.invalid(ObjectReader.pointer(to: $0.account, in: "/accounts") + path, wholeProblem) } ?? self
  }
}
