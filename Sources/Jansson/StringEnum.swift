/// A word from a fixed list.
package protocol StringEnum: FieldValue, RawRepresentable, CaseIterable where RawValue == String {
  /// The word's meaning for the schema; empty if the word says enough.
  var documentation: String { get }
}
