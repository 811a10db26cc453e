import Jansson

/// Reading single values in a service's JSON.
extension JSON {
  /// A string, an integer or a boolean as text; nil for anything else.
  package var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let value): String(value)
    // If the document has a number beyond 64 bits, all its integers are read as doubles.
    case .real(let value) where value == value.rounded() && value.magnitude <= 9_007_199_254_740_991: String(Int(value))
    case .bool(let value): value ? "true" : "false"
    default: nil
    }
  }

  /// A text that may be stored with an account and shown: at most 2 KiB, without control characters.
  package var attributeText: String? {
    // 2 KiB: a longer text is not a name, number or address.
    scalarText.flatMap { $0.utf8.count <= 2048 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? $0 : nil }
  }

  /// The value without members that are null or an empty string, at any depth: servers write a missing member in either way.
  /// A member of the name `kept` stays.
  package func withoutEmptyMembers(except kept: String? = nil) -> JSON {
    switch self {
    case .object(let members):
      .object(
        members.filter { $0.name == kept || ($0.value != .null && $0.value != "") }
          .map { Member($0.name, $0.value.withoutEmptyMembers(except: kept)) })
    case .array(let elements): .array(elements.map { $0.withoutEmptyMembers(except: kept) })
    default: self
    }
  }

  /// An error code as text; nil for 0, false, an empty string and null.
  var errorCode: String? {
    guard let text = scalarText, !text.isEmpty, text != "0", text != "false" else { return nil }
    return text
  }

  /// Whether the value means success: a boolean, or a string of which only `ok`, `success` and `true` do. nil for other types.
  package var saysSuccess: Bool? {
    switch self {
    case .bool(let value): value
    case .string(let word): ["ok", "success", "true"].contains(word.lowercased())
    default: nil
    }
  }
}

extension JSON {
  /// Reads scopes from a list separated by spaces or commas, or from an array. Ignores invalid scopes (RFC 6749, 3.3).
  package var scopes: [String]? {
    let found: [String]
    switch self {
    case .string(let text): found = text.split { $0 == " " || $0 == "," || $0 == "\n" || $0 == "\t" }.map(String.init)
    case .array(let values): found = values.compactMap(\.string)
    default: return nil
    }
    return found.filter { scope in
      !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
  }
}
