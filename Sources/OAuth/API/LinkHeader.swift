import OAuthCore

/// The `Link` header (RFC 8288).
enum LinkHeader {
  /// Returns the target of the first link with this relation; nil if there is none.
  static func target(rel: String, in headers: [HTTPHeader]) -> String? {
    for header in headers where header.name.lowercased() == "link" {
      var rest = header.value[...]
      while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
        let target = rest[rest.index(after: open)..<close]
        rest = rest[rest.index(after: close)...]
        // A link's parameters end at the `<` of the next link, because no parameter value contains one.
        let parameters = rest.prefix { $0 != "<" }.lowercased()
        if relations(parameters).contains(rel[...]) { return String(target) }
      }
    }
    return nil
  }

  /// `rel="next last"` names two relations (RFC 8288, 3.3).
  private static func relations(_ parameters: String) -> [Substring] {
    for parameter in parameters.split(separator: ";") {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ $0 != " " && $0 != "\t" }) == "rel" else { continue }
      return parts[1].split { " \t\",".contains($0) }
    }
    return []
  }
}
