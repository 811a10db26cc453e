import Jansson

/// The response of one exchange, at any status. A status of 400 is a response, not a failure.
package struct HTTPResponse: Sendable {
  /// The statuses that redirect to the same resource elsewhere (RFC 9110, 15.4). 300 and 304 do not.
  package static let redirects: Set = [301, 302, 303, 307, 308]

  package var status: Int
  package var headers: [HTTPHeader]
  /// Empty if the body was written to a file or a stream.
  package var body: [UInt8]
  /// The size of the received body, in memory or in a sink.
  package var bytes: Int
  /// The scope of the server's address; nil if a proxy was used.
  package var scope: NetworkScope?
  /// Whether the body was held back from the request's sink. The caller writes it there unless it is an error.
  package var isWithheld = false

  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], bytes: Int? = nil) {
    (self.status, self.headers, self.body) = (status, headers, body)
    self.bytes = bytes ?? body.count
  }

  /// The body without a byte order mark and white space around it, which some servers send with JSON and forms (RFC 8259, 8.1).
  package var trimmedBody: [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    var rest = body[...]
    while let first = rest.first, isBlank(first) || rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(isBlank(first) ? 1 : 3) }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return Array(rest)
  }

  /// Returns the target of a redirect that is not followed, as a member of the error's data.
  package func redirectTarget(hiding hidden: Redaction) -> JSON.Member? {
    guard Self.redirects.contains(status), let target = header("Location") else { return nil }
    return JSON.Member("location", .string(hidden.clean(target)))
  }

  /// Returns the response without the secrets that its server repeats.
  package func hiding(_ hidden: Redaction) -> HTTPResponse {
    var shown = self
    shown.body = hidden.hide(in: body)
    shown.headers = headers.map { HTTPHeader($0.name, hidden.hide(in: $0.value)) }
    return shown
  }

  /// Returns the first header of that name, in any case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.utf8.elementsEqual(name.utf8) || $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The header `Retry-After` (RFC 9110 §10.2.3): a number of seconds, or a date.
package enum RetryAfter {
  /// Seconds. A longer delay is capped to this value, as RFC 9111 §1.2.2 does with delta-seconds (2^31, 68 years).
  private static let longestDelay = 2_147_483_648

  /// Returns how many seconds to wait from `now` (Unix seconds): 0 if the date has passed, nil without a valid header. Ignores white space around the
  /// value.
  package static func seconds(_ response: HTTPResponse, at now: Int) -> Int? {
    guard let value = response.header("Retry-After")?.trimmed else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy(isASCIIDigit) {
      // A text of digits fails to be an Int only if the number is too large.
      return min(Int(value) ?? longestDelay, longestDelay)
    }
    return HTTPDate(String(value), now: Int64(now)).map { max(0, Int($0.unixSeconds) - now) }
  }
}

/// How long a response may be used again, in seconds.
package enum CacheLifetime {
  /// Lifetime in seconds if the response names none. Issuers announce rotations days ahead, and one fetch an hour is cheap.
  package static let usual = 3600
  /// Minimum lifetime in seconds, whatever the response says: with `no-store` every sign-in would fetch the keys twice.
  package static let shortest = 300
  /// Maximum lifetime in seconds, whatever the response says. A stolen and withdrawn key is then not trusted for weeks.
  package static let longest = 86_400

  /// Returns how long the response may be cached (RFC 9111, 5.2.2), less its age in other caches (4.2.3), within our limits.
  package static func of(_ response: HTTPResponse) -> Int {
    var seconds: Int?
    for directive in (response.header("Cache-Control") ?? "").lowercased().split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { part in part.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
      switch parts.first {
      case "no-store", "no-cache": return shortest
      case "max-age" where parts.count == 2: seconds = Int(parts[1])
      default: break
      }
    }
    guard let seconds else { return usual }
    let age = response.header("Age").flatMap(Int.init) ?? 0
    return min(max(seconds - max(0, min(age, seconds)), shortest), longest)
  }
}
