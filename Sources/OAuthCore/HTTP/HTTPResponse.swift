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
  /// The server's address; nil if a proxy was used.
  package var address: String?
  /// How far away the server is.
  package var scope: NetworkScope? { address.flatMap(NetworkScope.init(address:)) }
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

  /// Returns where a redirect leads, for a sentence; nil if the URL has a user name. Parameters stay out, because they may have a new secret.
  package func redirectPlace(hiding hidden: Redaction) -> String? {
    let place = redirectTarget(hiding: hidden)?.value.string.map { $0.unicodeScalars.prefix { !"?#;".unicodeScalars.contains($0) } }
    return place.flatMap { $0.isEmpty || $0.contains("@") ? nil : String($0) }
  }

  /// Says that a redirect is not followed; nil for another response.
  package func redirect(hiding hidden: Redaction) -> String? {
    guard (300..<400).contains(status) else { return nil }
    return "a redirect\(redirectPlace(hiding: hidden).map { " to \($0)" } ?? ""), which is not followed here"
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
    headers.first { $0.isNamed(name.lowercased()) }?.value
  }
}
