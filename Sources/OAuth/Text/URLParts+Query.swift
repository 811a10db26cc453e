/// Looking into a query and changing single values of it.
extension URLParts {
  /// The first value of that name.
  func queryValue(_ name: String) -> String? {
    FormEncoding.decodeLeniently(query ?? "").first { $0.0 == name }?.1
  }

  /// The URL with this value alone under this name; the other pairs keep their order and are written anew.
  func settingQuery(_ name: String, to value: String) -> URLParts {
    removingQuery { found, _ in found == name }.appendingQuery([(name, value)])
  }

  /// The URL without the pairs that `isUnwanted` picks; where it picks none, exactly this URL.
  func removingQuery(where isUnwanted: (String, String) -> Bool) -> URLParts {
    let pairs = FormEncoding.decodeLeniently(query ?? "")
    let kept = pairs.filter { !isUnwanted($0.0, $0.1) }
    guard kept.count < pairs.count else { return self }
    var url = self
    url.query = nil
    return url.appendingQuery(kept)
  }
}
