import Jansson
import OAuthCore

/// Form or query parameters in order, including duplicates.
struct Fields: Sendable {
  var pairs: [(name: String, value: String)]

  init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

  /// Decodes `application/x-www-form-urlencoded`.
  init(encoded: some Sequence<UInt8>) { pairs = FormEncoding.decodeLeniently(Array(encoded)).map { (name: $0, value: $1) } }

  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns the parameter's value. An empty one counts as absent (RFC 6749 §3.1).
  func filled(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  /// The requested scopes.
  var scopes: [String]? { filled("scope").map { $0.split(separator: " ").map(String.init) } }

  /// The first name that occurs twice, which RFC 6749 §3.1 and §3.2 forbid.
  var duplicate: String? {
    var seen: Set<String> = []
    return pairs.first { !seen.insert($0.name).inserted }?.name
  }

  var encoded: String { pairs.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&") }

  /// The parameters as an object. A name that occurs more than once has an array.
  var json: JSON {
    var seen: Set<String> = []
    return .object(
      pairs.filter { seen.insert($0.name).inserted }.map { first in
        let all = pairs.filter { $0.name == first.name }.map { JSON.string($0.value) }
        return .init(first.name, all.count == 1 ? all[0] : .array(all))
      })
  }
}
