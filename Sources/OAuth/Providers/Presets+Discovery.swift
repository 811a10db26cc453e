import Jansson

extension Presets {
  /// What `reference` means, as JSON: what it says, over what has been discovered where it says so.
  func description(
    _ reference: ProviderReference, _ variables: NamedValues<String> = .init()
  ) throws(OAuthFailure) -> (filled: [JSON.Member], preset: String?) {
    let written = try written(reference, variables)
    guard let url = Self.discovery(in: written.filled) else { return written }
    guard let found = discoveries?.description(of: url) else {
      throw .unsupported("what is published about \(url) has not been looked at; describe the provider by its endpoints")
    }
    return (try Self.override(found, with: written.filled), written.preset)
  }

  /// The URL that has to be looked behind first; nil where everything is said.
  func discovery(of reference: ProviderReference, _ variables: NamedValues<String>) throws(OAuthFailure) -> String? {
    Self.discovery(in: try written(reference, variables).filled)
  }

  private static func discovery(in members: [JSON.Member]) -> String? { JSON.object(members)["discovery"]?.string }
}
