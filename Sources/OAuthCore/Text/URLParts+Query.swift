/// Reading and changing single query values.
extension URLParts {
  /// Returns the first value of this name.
  package func queryValue(_ name: String) -> String? {
    FormEncoding.decodeLeniently(query ?? "").first { $0.0 == name }?.1
  }

  /// Returns the URL with this value as the only one of this name. The other pairs keep their order and spelling.
  package func settingQuery(_ name: String, to value: String) -> URLParts {
    removingQuery { found, _ in found == name }.appendingQuery([(name, value)])
  }

  /// Returns the URL without the pairs for which `isUnwanted` is true. The other pairs keep their spelling.
  package func removingQuery(where isUnwanted: (String, String) -> Bool) -> URLParts {
    guard let query else { return self }
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
    let kept = pairs.filter { pair in !FormEncoding.decodeLeniently(String(pair)).contains { isUnwanted($0.0, $0.1) } }
    guard kept.count < pairs.count else { return self }
    var url = self
    url.query = kept.isEmpty ? nil : kept.joined(separator: "&")
    return url
  }
}
