// A provider's description may contain a private key, so these descriptions leave it out.

extension Provider: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "Provider(\(name))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension ProviderReference: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .preset(let name): "ProviderReference(\(name))"
    case .url: "ProviderReference(url)"
    case .description: "ProviderReference(description)"
    }
  }

  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
