import Jansson

/// Where the page after an answer is, as the service tells it.
struct NextPage {
  /// What was asked for.
  let url: URLParts
  let response: HTTPResponse
  let json: JSON?
  let manner: APIManner

  /// The next page's URL; nil where there is none. Some services write the token into it, which is put in anew with each call and shown to nobody.
  func url(without token: Secret?, _ method: String) -> String? {
    guard method.uppercased() == "GET", (200..<300).contains(response.status), let found, AllowedHosts.isSafe(found) else { return nil }
    let secrets = [manner.apiCredential.query, "access_token"].compactMap(\.self)
    // What a signature put into the query is good for one request, and a second one beside it could not be signed (RFC 5849, 3.1).
    return found.removingQuery { name, value in
      secrets.contains(name) || name.hasPrefix("oauth_") || value == token?.value
    }.description
  }

  private var found: URLParts? {
    guard let pagination = manner.pagination else { return nil }
    switch pagination.style {
    case .link: return LinkHeader.target(rel: "next", in: response.headers).flatMap { try? url.resolve($0) }
    case .cursor:
      guard let cursor = pagination.cursor?.value(in: json ?? .null)?.scalarText, !cursor.isEmpty, cursor != "false" else { return nil }
      // A cursor may be a whole URL; one without a parameter to go into has to be.
      if cursor.hasPrefix("https://") || cursor.hasPrefix("http://") || pagination.parameter == nil { return try? url.resolve(cursor) }
      return pagination.parameter.map { url.settingQuery($0, to: cursor) }
    case .offset:
      let items = (pagination.items ?? manner.apiErrors?.results)?.value(in: json ?? .null) ?? json
      guard let count = items?.array?.count, count > 0, let parameter = pagination.parameter else { return nil }
      let seen = url.queryValue(parameter).flatMap { Int($0) } ?? 0
      let (next, isTooLarge) = seen.addingReportingOverflow(count)
      return isTooLarge ? nil : url.settingQuery(parameter, to: String(next))
    case .page:
      guard let parameter = pagination.parameter, let current = number(pagination.current), let total = number(pagination.total) else {
        return nil
      }
      return 0 <= current && current < total ? url.settingQuery(parameter, to: String(current + 1)) : nil
    }
  }
}

extension NextPage {
  private func number(_ place: DottedPath?) -> Int? { place?.value(in: json ?? .null)?.scalarText.flatMap { Int($0) } }
}

extension Pagination {
  /// Whether the answer's body tells, and not a header.
  var readsBody: Bool { style != .link }
}

/// The `Link` header (RFC 8288).
enum LinkHeader {
  /// The target of the first link with this relation; nil where there is none.
  static func target(rel: String, in headers: [HTTPHeader]) -> String? {
    for header in headers where header.name.lowercased() == "link" {
      var rest = header.value[...]
      while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
        let target = rest[rest.index(after: open)..<close]
        rest = rest[rest.index(after: close)...]
        // Its parameters go on to the next link, which begins with `<`; no parameter's value has one.
        let parameters = rest.prefix { $0 != "<" }.lowercased()
        if relations(parameters).contains(rel[...]) { return String(target) }
      }
    }
    return nil
  }

  /// `rel="next last"` names two (RFC 8288, 3.3).
  private static func relations(_ parameters: String) -> [Substring] {
    for parameter in parameters.split(separator: ";") {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ $0 != " " && $0 != "\t" }) == "rel" else { continue }
      return parts[1].split { " \t\",".contains($0) }
    }
    return []
  }
}
