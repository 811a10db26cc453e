import Jansson
import OAuthCore

/// Form or query parameters in order, including duplicates.
struct Fields: Sendable {
  var pairs: [(name: String, value: String)]

  init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

  /// Decodes `application/x-www-form-urlencoded`.
  init(encoded: some Sequence<UInt8>) {
    pairs = FormEncoding.decodeLeniently(Array(encoded)).map { (name: $0, value: $1) }
  }

  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Returns the parameter's value. An empty one counts as absent (RFC 6749 §3.1).
  func filled(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  /// The first name that occurs twice, which RFC 6749 §3.1 and §3.2 forbid.
  var duplicate: String? {
    var seen: Set<String> = []
    return pairs.first { !seen.insert($0.name).inserted }?.name
  }

  var encoded: String {
    pairs.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
  }

  /// The parameters as an object. A name that occurs more than once has an array.
  var json: JSON {
    var names: [String] = []
    var values: [String: [JSON]] = [:]
    for pair in pairs {
      if values[pair.name] == nil { names.append(pair.name) }
      values[pair.name, default: []].append(.string(pair.value))
    }
    return .object(
      names.map { name in
        let all = values[name] ?? []
        return .init(name, all.count == 1 ? all[0] : .array(all))
      })
  }
}
