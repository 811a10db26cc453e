import Jansson

/// A word from a fixed list whose meanings `Words.json` has, under the type's name in the schemas. Only a schema and the reference need them.
package protocol DescribedEnum: StringEnum {}

extension DescribedEnum {
  package var documentation: String { words[Self.schemaName ?? ""]?[rawValue]?.string ?? "" }
}

private let words = (try? JSON.parse(PackageResources.Words_json)) ?? .null
