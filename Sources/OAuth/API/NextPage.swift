import Jansson
import OAuthCore

/// Finds the page after a response, as the service reports it.
struct NextPage {
  /// The URL of the request.
  let url: URLParts
  let response: HTTPResponse
  let json: JSON?
  let options: APIOptions

  /// Returns the next page's URL; nil if there is none. Some services repeat the token in it. It is removed, and each call adds it again.
  func url(without token: Secret?, _ method: String) -> String? {
    guard method.uppercased() == "GET", (200..<300).contains(response.status), let found, found.hasSafeScheme else { return nil }
    let secrets = [options.apiCredential.query, "access_token"].compactMap(\.self)
    // A signature in the query is valid for one request. With another signature beside it, the URL could not be signed (RFC 5849, 3.1).
    return found.removingQuery { name, value in
      secrets.contains(name) || name.hasPrefix("oauth_") || value == token?.value
    }.description
  }

  private var found: URLParts? {
    guard let pagination = options.pagination else { return nil }
    switch pagination.style {
    case .link: return LinkHeader.target(rel: "next", in: response.headers).flatMap { try? url.resolve($0) }
    case .cursor:
      guard let cursor = pagination.cursor?.value(in: json ?? .null)?.scalarText, !cursor.isEmpty, cursor != "false" else { return nil }
      // A cursor may be a whole URL. Without a parameter for it, it must be one.
      if cursor.hasPrefix("https://") || cursor.hasPrefix("http://") || pagination.parameter == nil { return try? url.resolve(cursor) }
      return pagination.parameter.map { url.settingQuery($0, to: cursor) }
    case .offset:
      let items = (pagination.items ?? options.apiErrors?.results)?.value(in: json ?? .null) ?? json
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

extension APIOptions.Pagination {
  /// Whether the next page is in the response's body instead of a header.
  var readsBody: Bool { style != .link }
}

/// The `Link` header (RFC 8288).
private enum LinkHeader {
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
