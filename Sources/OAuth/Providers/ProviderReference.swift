import Jansson

/// How a caller names a provider: a preset's name, an https URL to discover, or an object that describes one.
package enum ProviderReference: FieldValue {
  case preset(String)
  case url(String)
  case description([JSON.Member])

  package static var schema: JSON {
    ["anyOf": [["type": "string"], Provider.schema]]
  }

  package static let placeholder = ProviderReference.preset("")

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> ProviderReference {
    switch json {
    case .string(let name) where name.contains("://"):
      if let problem = Provider.problem(ofEndpoint: name) { throw FieldError(path, problem) }
      return .url(name)
    case .string(let name): return .preset(name)
    case .object(let members):
      // Read here once for its faults, so that they are named by their place in the params.
      _ = try Provider.decode(json, at: path)
      return .description(members)
    default: throw FieldError(path, "has to be a string or an object, not \(json.kind)")
    }
  }

  /// The preset or file that it starts from.
  package var presetName: String? {
    switch self {
    case .preset(let name): name
    case .url: nil
    case .description(let members): JSON.object(members)["preset"]?.string
    }
  }

  /// The values that it has itself for {names}.
  package var variables: JSON {
    guard case .description(let members) = self else { return .null }
    return JSON.object(members)["variables"] ?? .null
  }

  /// The same with the client's key, unless it has one of its own.
  func with(privateKey key: Secret?) -> ProviderReference {
    guard let key else { return self }
    let member = JSON.Member("privateKey", .string(key.value))
    switch self {
    case .preset(let name): return .description([.init("preset", .string(name)), member])
    case .url: return self
    case .description(let members): return .description(members.contains { $0.name == "privateKey" } ? members : members + [member])
    }
  }

  /// One that is kept with a grant; not checked, since what a release takes no longer must not make the grant unreadable.
  init?(kept json: JSON) {
    switch json {
    case .string(let name): self = name.contains("://") ? .url(name) : .preset(name)
    case .object(let members): self = .description(members)
    default: return nil
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .preset(let name), .url(let name): writer.string(name)
    case .description(let members): writer.value(.object(members))
    }
  }
}
