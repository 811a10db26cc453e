@testable import Plans

extension ProviderCatalog {
  /// Returns these presets plus the user's provider files.
  func adding(_ files: ProviderFiles) -> ProviderCatalog {
    var catalog = self
    catalog.files = files
    return catalog
  }

  /// Returns these presets plus discovered documents.
  func adding(_ discoveries: Discovery.Cache) -> ProviderCatalog {
    var catalog = self
    catalog.discoveries = discoveries
    return catalog
  }
}
