import Jansson
import OAuthCore

/// What a service's JSON says besides the results: success or error. It is read from a copy; the body itself is passed on unchanged.
package struct APIEnvelope: Sendable {
  let json: JSON
  private let places: APIOptions.EnvelopePlaces

  /// A body that is not JSON gives an empty envelope.
  init(_ body: [UInt8], _ options: APIOptions) {
    places = options.apiErrors ?? APIOptions.EnvelopePlaces()
    // A number beyond 64 bits must not hide an error.
    json = (try? JSON.parseRounding(body)) ?? .null
  }

  /// The service's own error code as text, the form in which descriptions list codes.
  var codeText: String? { places.code?.value(in: json)?.scalarText }

  /// Returns the service's error in a response with this status; nil if there is none.
  /// If the description names the place of the code and it is empty, `code` is -1, as in Spark's own library.
  func error(status: Int, hiding hidden: Redaction) -> [JSON.Member]? {
    guard status >= 400 || places.success?.value(in: json)?.saysSuccess == false else { return nil }
    var members: [JSON.Member] = []
    if let place = places.code { members.append(.init("code", place.value(in: json).flatMap { Self.clean($0, hidden, 0) } ?? -1)) }
    if let message = places.message?.value(in: json)?.scalarText, !message.isEmpty {
      members.append(.init("serviceMessage", .string(hidden.clean(message))))
    }
    if let details = places.details?.value(in: json).flatMap({ Self.clean($0, hidden, 0) }) {
      members.append(.init("serviceDetails", details))
    }
    return members.isEmpty && status >= 400 ? nil : members
  }

  /// Returns a form that is safe in our data: few and short values, exact integers, no secret that was sent.
  private static func clean(_ json: JSON, _ hidden: Redaction, _ depth: Int) -> JSON? {
    switch json {
    case .integer(let value) where value.magnitude <= 9_007_199_254_740_991: .integer(value)
    case .integer(let value): .string(String(value))
    case .real(let value) where value == value.rounded() && value.magnitude <= 9_007_199_254_740_991: .integer(Int(value))
    case .string(let text): .string(hidden.clean(text))
    case .bool(let value): .bool(value)
    case .array(let elements) where depth < 4 && elements.count <= 32: .array(elements.compactMap { clean($0, hidden, depth + 1) })
    case .object(let members) where depth < 4 && members.count <= 32:
      .object(
        distinct(members.compactMap { member in clean(member.value, hidden, depth + 1).map { .init(hidden.clean(member.name), $0) } }))
    default: nil
    }
  }

  /// Removes members whose names became equal by redaction. Objects that the process writes have no duplicate members.
  private static func distinct(_ members: [JSON.Member]) -> [JSON.Member] {
    var distinct: [JSON.Member] = []
    for member in members where !distinct.contains(where: { $0.name == member.name }) { distinct.append(member) }
    return distinct
  }
}

extension APIEnvelope {
  /// Finds the page after a response, as the service reports it.
  struct NextPage {
    /// The URL of the request.
    let url: URLParts
    let response: HTTPResponse
    let json: JSON?
    let pagination: APIOptions.Pagination
    let options: APIOptions

    /// Returns the next page's URL, or why the one that the service names is not used; nothing if there is none.
    /// Some services repeat the token in it. It is removed, and each call adds it again.
    func url(without token: Secret?, _ method: String) -> (used: String?, problem: String?) {
      guard method.uppercased() == "GET", (200..<300).contains(response.status) else { return (nil, nil) }
      do throws(URLFailure) {
        guard var next = try found() else { return (nil, nil) }
        // Behind a proxy, many services take themselves for http.
        if next.scheme == "http", url.scheme == "https", next.host == url.host, [nil, url.port].contains(next.explicitPort) {
          next = try URLParts(url.origin + next.path + (next.query.map { "?" + $0 } ?? ""))
        }
        guard next.hasSafeScheme else { return (nil, "the service names \(next.shown), which is not https on the request's host") }
        let secrets = [options.apiCredential.query, "access_token"].compactMap(\.self)
        // A signature in the query is valid for one request. A URL that contains one cannot be signed again (RFC 5849, 3.1).
        let used = next.removingQuery { name, value in secrets.contains(name) || name.hasPrefix("oauth_") || value == token?.value }
        return (used.description, nil)
      } catch {
        return (nil, "the service names no usable URL: \(error)")
      }
    }

    private func found() throws(URLFailure) -> URLParts? {
      switch pagination.style {
      case .link:
        guard let target = LinkHeader.target(rel: "next", in: response.headers) else { return nil }
        return try url.resolve(target)
      case .cursor:
        guard let cursor = pagination.cursor?.value(in: json ?? .null)?.scalarText, !cursor.isEmpty, cursor != "false" else { return nil }
        // A cursor may be a whole URL. Without a parameter for it, it must be one.
        if cursor.hasPrefix("https://") || cursor.hasPrefix("http://") || pagination.parameter == nil { return try url.resolve(cursor) }
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

    private func number(_ place: DottedPath?) -> Int? { place?.value(in: json ?? .null)?.scalarText.flatMap { Int($0) } }
  }

  /// The `Link` header, read as RFC 8288 does it (appendix B.2).
  private enum LinkHeader {
    /// Returns the target of the first link with this relation; nil if there is none. A link with an anchor is about another resource (3.2).
    static func target(rel: String, in headers: [HTTPHeader]) -> String? {
      for header in headers where header.isNamed("link") {
        var rest = Array(header.value.utf8)[...]
        while let link = rest.firstIndex(of: UInt8(ascii: "<")) {
          let target = rest[link...].dropFirst().prefix { $0 != UInt8(ascii: ">") }
          rest = rest[target.endIndex...].dropFirst()
          let parameters = parameters(&rest)
          // A link has one `rel`, which may have several relations (3.3).
          let relations = parameters.first { $0.name == "rel" }?.value.split { $0 == " " || $0 == "\t" } ?? []
          guard relations.contains(rel[...]), !parameters.contains(where: { $0.name == "anchor" }) else { continue }
          return String(decoding: target, as: UTF8.self)
        }
      }
      return nil
    }

    /// Takes the parameters of a link, in lower case, and what else precedes the next link.
    private static func parameters(_ rest: inout ArraySlice<UInt8>) -> [(name: String, value: String)] {
      var parameters: [(name: String, value: String)] = []
      while let first = rest.first, first != UInt8(ascii: ",") {
        rest = rest.drop { " \t;".utf8.contains($0) }
        let name = rest.prefix { !" \t=;,".utf8.contains($0) }
        rest = rest[name.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
        guard rest.first == UInt8(ascii: "=") else { continue }
        rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        let value = HTTPChallenge.quotedString(&rest) ?? Array(rest.prefix { !";,".utf8.contains($0) })
        rest = rest.drop { !";,".utf8.contains($0) }
        parameters.append((String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self).lowercased()))
      }
      return parameters
    }
  }
}
