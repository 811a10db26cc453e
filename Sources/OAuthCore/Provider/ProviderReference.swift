import Jansson

/// How a caller names a provider: a preset's name, an https URL to discover, or a description.
package enum ProviderReference: FieldValue {
  case preset(String)
  case url(String)
  case description([JSON.Member])

  package static var schema: JSON { ["anyOf": [["type": "string"], Provider.reference]] }

  package static let placeholder = ProviderReference.preset("")

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> ProviderReference {
    switch json {
    case .string(let name) where name.contains("://"):
      if let problem = Provider.problem(ofEndpoint: name) { throw FieldError(path, problem) }
      return .url(name)
    case .string(let name): return .preset(name)
    case .object(let members):
      // Decoded here only to report errors with their path in the params.
      _ = try Provider.decode(json, at: path)
      return .description(members)
    default: throw FieldError(path, "must be a string or an object, not \(json.kind)")
    }
  }

  /// The preset or file that the description starts from.
  package var presetName: String? {
    switch self {
    case .preset(let name): name
    case .url: nil
    case .description(let members): JSON.object(members)["preset"]?.string
    }
  }

  /// Whether the provider issues tokens for nothing but an assertion in the header, so that no other flow is possible.
  package var takesOnlyAssertions: Bool {
    let preset = presetName.flatMap(Preset.named).flatMap { try? JSON.parse($0.text) }
    return (json["assertionPlacement"] ?? preset?["assertionPlacement"]) == "header"
  }

  /// The description's own values for {names}.
  package var variables: JSON {
    guard case .description(let members) = self else { return .null }
    return JSON.object(members)["variables"] ?? .null
  }

  /// Reads a stored reference without checks, so that a grant stays readable if a later release rejects the reference.
  package init?(stored json: JSON) {
    switch json {
    case .string(let name): self = name.contains("://") ? .url(name) : .preset(name)
    case .object(let members): self = .description(members)
    default: return nil
    }
  }

  package func write(to writer: inout JSONWriter) { writer.value(json) }

  private var json: JSON {
    switch self {
    case .preset(let name), .url(let name): .string(name)
    case .description(let members): .object(members)
    }
  }

  /// Whether both references have the same members, in any order.
  package func isSame(as other: ProviderReference?) -> Bool { json.sorted == other?.json.sorted }
}

/// What a server published about itself at a URL: an unchanged description.
///
/// A grant stores a copy, so that it works without a discovery. That copy does not prove where a secret may be sent; only a document that this
/// process fetched does.
package struct Publication: Sendable {
  package var url: String
  package var description: [JSON.Member]
  /// The server's scope. The server must not name a URL of a narrower scope.
  package var scope: NetworkScope?

  package init(url: String, description: [JSON.Member], scope: NetworkScope? = nil) {
    (self.url, self.description, self.scope) = (url, description, scope)
  }
}

/// Limits requests to published endpoints: they must not have a narrower scope than the publishing server.
/// Hosts that the configuration, the request or the preset names are not limited.
package struct PublishedLimit: Sendable, Equatable {
  /// The server's scope at the time of the discovery.
  package var scope: NetworkScope
  /// The hosts in the description itself; a wildcard is written as `*.` and the common end.
  package var namedHosts: [String]

  package init(scope: NetworkScope, namedHosts: [String]) { (self.scope, self.namedHosts) = (scope, namedHosts) }

  /// `written` is the description itself, without published members.
  package init?(_ publication: Publication, beside written: [JSON.Member]) {
    guard let scope = publication.scope else { return nil }
    self.init(scope: scope, namedHosts: Self.hosts(in: .object(written)))
  }

  /// Adds the hosts that are missing.
  package mutating func name(_ hosts: [String]) { for host in hosts where !namedHosts.contains(host) { namedHosts.append(host) } }

  /// Returns the hosts of all URLs in the description, and those in `apiHosts` and `endpointHosts`, without duplicates.
  package static func hosts(in description: JSON) -> [String] {
    let patterns = AllowedHosts(patterns: ["apiHosts", "endpointHosts"].flatMap { description[$0]?.array ?? [] }.compactMap(\.string))
    return (patterns.hosts + urls(in: description)).distinct
  }

  private static func urls(in json: JSON) -> [String] {
    switch json {
    case .string(let text): (try? URLParts(text)).map { $0.host.isEmpty ? [] : [$0.host] } ?? []
    case .array(let values): values.flatMap(urls)
    case .object(let members): members.flatMap { urls(in: $0.value) }
    default: []
    }
  }
}

extension Provider {
  /// Whether the provider was found from an API's URL, so that the API names its authorization server. A preset, a provider file or a description
  /// with endpoints names it itself.
  package var isFoundFromAPI: Bool {
    preset == nil && discovery != nil && published?.contains { $0.name == "apiBase" } == true && !namesEndpoints
  }

  /// Whether the reference itself says where the authorization server is.
  package var namesEndpoints: Bool {
    (reference?.members ?? []).contains { ["issuer", "authorizationEndpoint", "tokenEndpoint"].contains($0.name) }
  }

  /// Returns whether the configuration, the request or the preset names the host, not only a server's publication.
  package func names(_ url: URLParts) -> Bool {
    (publishedLimit?.namedHosts ?? PublishedLimit.hosts(in: source)).contains { name in
      name == url.host || (name.hasPrefix("*.") && url.host.hasSuffix(name.dropFirst()))
    }
  }

  /// Returns the narrowest network scope that a request to this endpoint may reach.
  package func scopeLimit(of place: String) -> NetworkScope {
    guard let publishedLimit, publishedLimit.scope < .thisMachine else { return .thisMachine }
    if let url = try? URLParts(place), names(url) { return .thisMachine }
    return publishedLimit.scope
  }
}

/// The only hosts that may receive an account's token.
package struct AllowedHosts: Sendable {
  private struct Entry: Equatable {
    var host: String
    var port: Int?
    var includesSubdomains = false
  }

  private var entries: [Entry] = []

  /// Allows the provider's API hosts if it names any; otherwise the hosts of its API base and its endpoints.
  ///
  /// `endpoint` is an endpoint of the description that receives the token, whatever `apiHosts` says.
  package init(_ provider: Provider, and endpoint: String? = nil) {
    entries = (provider.api.apiHosts ?? []).compactMap(Self.entry)
    if let endpoint, let url = try? URLParts(endpoint) { entries.append(Entry(host: url.host, port: url.port)) }
    guard provider.api.apiHosts == nil else { return }
    let endpoints = [
      provider.api.apiBase, provider.authorizationEndpoint, provider.tokenEndpoint, provider.revocation.revocationEndpoint,
      provider.introspectionEndpoint, provider.userInfoEndpoint, provider.oauth1.requestTokenEndpoint, provider.oauth1.accessTokenEndpoint,
    ]
    for endpoint in endpoints {
      guard let endpoint, let url = try? URLParts(endpoint) else { continue }
      entries.append(Entry(host: url.host, port: url.port))
    }
  }

  /// The hosts as `apiHosts` would list them, without duplicates.
  package var names: [String] {
    zip(hosts, entries).map { host, entry in host + (entry.port.flatMap { $0 == 443 ? nil : ":\($0)" } ?? "") }.distinct
  }

  package init(patterns: [String]) { entries = patterns.compactMap(Self.entry) }

  /// The hosts without their ports.
  fileprivate var hosts: [String] { entries.map { ($0.includesSubdomains ? "*." : "") + $0.host } }

  /// Whether `text` is a valid entry of `apiHosts`.
  static func isPattern(_ text: String) -> Bool { entry(text) != nil }

  private static func entry(_ text: String) -> Entry? {
    let pattern = text.lowercased()
    let isWild = pattern.hasPrefix("*.")
    guard let url = try? URLParts("https://" + (isWild ? String(pattern.dropFirst(2)) : pattern)) else { return nil }
    guard url.path.isEmpty, url.query == nil, url.fragment == nil, url.userInfo == nil else { return nil }
    return Entry(host: url.host, port: url.explicitPort, includesSubdomains: isWild)
  }

  /// Whether the token may be sent to this URL. An entry without a port allows 443.
  /// On this machine it allows every port: only ports tell services there apart, and the entry names the user's own machine.
  package func allows(_ url: URLParts) -> Bool {
    entries.contains { entry in
      let isHost = entry.includesSubdomains ? url.host.hasSuffix("." + entry.host) : url.host == entry.host
      guard isHost else { return false }
      if let port = entry.port { return url.port == port }
      return url.port == 443 || url.isLoopback
    }
  }
}
