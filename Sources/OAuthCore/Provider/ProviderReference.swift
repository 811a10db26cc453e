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

  /// The description's own values for {names}.
  package var variables: JSON {
    guard case .description(let members) = self else { return .null }
    return JSON.object(members)["variables"] ?? .null
  }

  /// Reads a stored reference without checks, so that a grant stays readable if a later release rejects the reference.
  package init?(kept json: JSON) {
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
