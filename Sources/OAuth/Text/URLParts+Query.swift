/// Looking into a query and changing single values of it.
extension URLParts {
  /// The first value of that name.
  func queryValue(_ name: String) -> String? {
    FormEncoding.decodeLeniently(query ?? "").first { $0.0 == name }?.1
  }

  /// The URL with this value alone under this name; the other pairs keep their order and stay as they are written.
  func settingQuery(_ name: String, to value: String) -> URLParts {
    removingQuery { found, _ in found == name }.appendingQuery([(name, value)])
  }

  /// The URL without the pairs that `isUnwanted` picks; the others stay as they are written.
  func removingQuery(where isUnwanted: (String, String) -> Bool) -> URLParts {
    guard let query else { return self }
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
    let kept = pairs.filter { pair in !FormEncoding.decodeLeniently(String(pair)).contains { isUnwanted($0.0, $0.1) } }
    guard kept.count < pairs.count else { return self }
    var url = self
    url.query = kept.isEmpty ? nil : kept.joined(separator: "&")
    return url
  }
}
