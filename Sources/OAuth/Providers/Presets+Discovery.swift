import Jansson

extension Presets {
  /// What `reference` means, as JSON: what it says, over what has been discovered where it says so.
  func description(
    _ reference: ProviderReference, _ variables: NamedValues<String> = .init()
  ) throws(OAuthFailure) -> (filled: [JSON.Member], preset: String?) {
    let written = try written(reference, variables)
    guard let url = Self.discovery(in: written.filled) else { return written }
    guard let found = discoveries?.description(of: url) else {
      throw .unsupported("what is published about the provider has not been looked at; describe the provider by its endpoints")
    }
    return (try Self.override(found, with: written.filled), written.preset)
  }

  /// The URL that has to be looked behind first; nil where everything is said.
  func discovery(of reference: ProviderReference, _ variables: NamedValues<String>) throws(OAuthFailure) -> String? {
    Self.discovery(in: try written(reference, variables).filled)
  }

  /// The account of whoever names the URL and no account: one host may have several resources, each with tokens of its own.
  static func account(named url: URLParts) -> String {
    let path = url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    let name = url.host + (url.explicitPort.map { ":\($0)" } ?? "") + path
    // Longer ones are no names of accounts.
    return name.utf8.count <= 200 ? name : url.host
  }

  private static func discovery(in members: [JSON.Member]) -> String? { JSON.object(members)["discovery"]?.string }
}
