// A provider's description may hold a private key, and so does whatever was read from one: none of it prints.

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

extension Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "Grant(\(account))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror {
    Mirror(self, children: ["account": account, "providerName": providerName, "generation": generation])
  }
}
