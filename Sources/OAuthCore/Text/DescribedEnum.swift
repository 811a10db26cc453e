import Jansson

/// A string enum with a text for each case in `EnumTexts.json`, under the type's schema name. Only the schemas and the reference read the texts.
package protocol DescribedEnum: StringEnum {}

extension DescribedEnum {
  package var documentation: String { texts[Self.schemaName ?? ""]?[rawValue]?.string ?? "" }
}

private let texts = (try? JSON.parse(PackageResources.EnumTexts_json)) ?? .null
