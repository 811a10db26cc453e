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

  package var json: JSON {
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
