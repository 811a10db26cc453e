import Jansson

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
