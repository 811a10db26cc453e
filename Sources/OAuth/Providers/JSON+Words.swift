import Jansson

/// What single values in other people's JSON say.
extension JSON {
  /// A string, an integer or a truth as text; anything else has none.
  var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let value): String(value)
    // Beside a number beyond 64 bits every integer is read as a double.
    case .real(let value) where value == value.rounded() && value.magnitude <= 9_007_199_254_740_991: String(Int(value))
    case .bool(let value): value ? "true" : "false"
    default: nil
    }
  }

  /// What may be kept with an account and shown to anybody: text of a reasonable length without control characters.
  var attributeText: String? {
    // 2 KiB: what is longer is no name, number or address.
    scalarText.flatMap { $0.utf8.count <= 2048 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? $0 : nil }
  }

  /// An error's code as text; 0, an empty string and null are no code.
  var errorCode: String? {
    guard let text = scalarText, !text.isEmpty, text != "0", text != "false" else { return nil }
    return text
  }

  /// Whether it says that something worked: a truth, or a word of which only ok and success do; nil where it says nothing of the kind.
  var saysSuccess: Bool? {
    switch self {
    case .bool(let value): value
    case .string(let word): ["ok", "success", "true"].contains(word.lowercased())
    default: nil
    }
  }
}
